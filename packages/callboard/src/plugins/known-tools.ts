/**
 * The tools that are known of a plugin whose code runs elsewhere, kept in the store so that they outlive it and the
 * host.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ToolList, ToolListStore } from '../store/store.ts'

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

  /**
   * Takes a new list over, with what is odd about it and what is kept for the next start beside it. Answers whether
   * tools or reports changed.
   */
  take(tools: readonly ToolDefinition[], reports: readonly string[], hints?: ToolList['hints']): boolean {
    const changed = !isDeepStrictEqual(tools, this.#tools) || !isDeepStrictEqual(reports, this.#reports)
    const told = new Set(this.#reports)
    for (const report of reports) if (!told.has(report)) this.#options.log.warn(report)
    this.#tools = tools
    this.#reports = reports
    this.#write(hints)
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

  /** A store that does not work costs the memory of the next start, not the plugin. */
  #read(): ToolList | undefined {
    const { store, pluginId, fingerprint, log } = this.#options
    try {
      return store.get(pluginId, fingerprint)
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the known tools could not be read from the store')
      return undefined
    }
  }

  #write(hints: ToolList['hints']): void {
    const { store, pluginId, fingerprint, log } = this.#options
    try {
      store.put(pluginId, fingerprint, { tools: this.#tools, listedAt: Date.now(), ...(hints && { hints }) })
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the known tools could not be written to the store')
    }
  }
}
