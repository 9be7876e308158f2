/** The tools that are known of a server, kept in the store so that they outlive it and the host. */
import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { ToolListStore } from '../../store/store.ts'
import type { EraMemory } from './era-memory.ts'
import { type ListedTools, withKnown } from './list-tools.ts'
import type { JsonObject } from './messages.ts'
import { mapTools } from './tool-mapping.ts'

export interface KnownToolsOptions {
  readonly pluginId: string
  readonly fingerprint: string
  readonly store: ToolListStore
  readonly log: Log
}

export class KnownTools {
  readonly #options: KnownToolsOptions
  /** What was kept of an earlier run beside the tools. */
  readonly hints: Readonly<Record<string, unknown>> | undefined
  #tools: readonly ToolDefinition[] = []
  #reports: readonly string[] = []

  constructor(options: KnownToolsOptions) {
    this.#options = options
    const known = this.#read()
    this.#tools = known?.tools ?? []
    this.hints = known?.hints
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools
  }

  /** What was odd about the last list, one sentence each. */
  get reports(): readonly string[] {
    return this.#reports
  }

  /** Takes a new list over; one that is not whole takes no known tool away. Answers whether anything changed. */
  update({ entries, incomplete }: ListedTools, checkHeaders: boolean, eras: EraMemory): boolean {
    const { pluginId, log } = this.#options
    const known = this.#tools.map(({ listed }): JsonObject => ({ ...listed }))
    const whole = incomplete === undefined ? entries : withKnown(entries, known)
    const { tools, reports } = mapTools(whole, { pluginId, checkHeaders })
    const kept = incomplete && `plugin "${pluginId}": ${incomplete}; the tools known before are kept`
    const allReports = kept === undefined ? reports : [kept, ...reports]
    const changed = !isDeepStrictEqual(tools, this.#tools) || !isDeepStrictEqual(allReports, this.#reports)
    const told = new Set(this.#reports)
    for (const report of allReports) if (!told.has(report)) log.warn(report)
    this.#tools = tools
    this.#reports = allReports
    this.#write(eras)
    return changed
  }

  /** Says that the list could not be read again. Answers whether that is news. */
  failed(reason: string): boolean {
    const report = `plugin "${this.#options.pluginId}": its list of tools could not be read again: ${reason}; the tools known before are kept`
    if (this.#reports.includes(report)) return false
    this.#options.log.warn(report)
    this.#reports = [report]
    return true
  }

  /** A store that does not work costs the memory of the next start, not the server. */
  #read() {
    const { store, pluginId, fingerprint, log } = this.#options
    try {
      return store.get(pluginId, fingerprint)
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the known tools could not be read from the store')
      return undefined
    }
  }

  #write({ hints }: EraMemory): void {
    const { store, pluginId, fingerprint, log } = this.#options
    try {
      store.put(pluginId, fingerprint, { tools: this.#tools, listedAt: Date.now(), ...(hints && { hints }) })
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the known tools could not be written to the store')
    }
  }
}
