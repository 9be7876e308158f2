/**
 * The tools that are known of a plugin whose code runs elsewhere, kept in the store so that they outlive it and the
 * host.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ToolList, ToolListStore } from '../store/store.ts'
import { inTurns } from './in-turns.ts'

/** So many tools are written in one go. */
const WRITTEN_AT_ONCE = 200
/** So many tools become others in one go, or a tenth of all that do: each step costs all that there are a little. */
const CHANGED_AT_ONCE = 1_000
const MAX_STEPS = 10

export interface KnownToolsOptions {
  readonly pluginId: string
  readonly fingerprint: string
  readonly store: ToolListStore
  readonly log: Log
}

/** A new list. */
export interface NewTools {
  readonly tools: readonly ToolDefinition[]
  /** What is odd about it, one sentence each. */
  readonly reports: readonly string[]
  /** What is kept for the next start beside it. */
  readonly hints?: ToolList['hints']
}

export interface TakeOptions {
  /** Ends the work, which rejects with its reason then. */
  readonly signal: AbortSignal
  /** Called after each step of a change that takes several. */
  readonly onStep: () => void
}

export class KnownTools {
  readonly #options: KnownToolsOptions
  /** What was kept of an earlier run beside the tools. */
  readonly hints: Readonly<Record<string, unknown>> | undefined
  #byName: ReadonlyMap<string, ToolDefinition>
  #tools: readonly ToolDefinition[]
  #isOfThisRun = false
  #reports: readonly string[] = []
  /** The names of tools that are not in the store as they are here. */
  readonly #unwritten = new Set<string>()
  #writing: Promise<void> | undefined
  /** Whether the store has a list of this plugin to change. */
  #isKept: boolean
  /** Whether the list that was taken last was found to be lost there, and is written whole. */
  #isWrittenAnew = false
  /** What is kept beside the tools from now on. */
  #newHints: ToolList['hints']

  constructor(options: KnownToolsOptions) {
    this.#options = options
    const known = this.#read()
    this.#isKept = known !== undefined
    this.#tools = known?.tools ?? []
    this.#byName = byName(this.#tools)
    this.hints = known?.hints
  }

  /** One that did not change is the same object as before. */
  get tools(): readonly ToolDefinition[] {
    return this.#tools
  }

  /** Whether they were taken here, and not read from the store. */
  get isOfThisRun(): boolean {
    return this.#isOfThisRun
  }

  /** What was odd about the last list, one sentence each. */
  get reports(): readonly string[] {
    return this.#reports
  }

  /** Resolves when all that is to be kept is in the store, or could not be written. */
  get written(): Promise<void> {
    return this.#writing ?? Promise.resolve()
  }

  /**
   * Takes a new list over. Answers whether tools or reports changed. Where thousands of tools did, they do step by step,
   * those that are gone first, and what is done stays when the signal ends it. One list at a time.
   */
  async take({ tools: given, reports, hints }: NewTools, { signal, onStep }: TakeOptions): Promise<boolean> {
    const tools = await inTurns(this.#keepEqual(given), signal)
    signal.throwIfAborted()
    for (const step of this.#stepsTo(tools)) {
      this.#become(step)
      onStep()
      await nextTurn()
      signal.throwIfAborted()
    }
    const isOther = tools.length !== this.#tools.length || tools.some((tool, at) => tool !== this.#tools[at])
    const isChanged = isOther || !isDeepStrictEqual(reports, this.#reports)
    const told = new Set(this.#reports)
    for (const report of reports) if (!told.has(report)) this.#options.log.warn(report)
    this.#reports = reports
    this.#isOfThisRun = true
    this.#newHints = hints
    if (isOther) this.#become(tools)
    this.#isWrittenAnew = false
    this.#write()
    return isChanged
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

  /** The list with the objects that are known already where nothing changed. */
  *#keepEqual(tools: readonly ToolDefinition[]): Generator<undefined, readonly ToolDefinition[]> {
    const kept: ToolDefinition[] = []
    for (const tool of tools) {
      const known = this.#byName.get(tool.name)
      kept.push(known !== undefined && isDeepStrictEqual(tool, known) ? known : tool)
      yield
    }
    return kept
  }

  /** The lists on the way to that one, where its changes are too many for one step; the last of them still differs. */
  *#stepsTo(tools: readonly ToolDefinition[]): Generator<readonly ToolDefinition[]> {
    const list = new Map(this.#byName)
    const names = byName(tools)
    const changes: (readonly [string, ToolDefinition | undefined])[] = []
    for (const name of list.keys()) if (!names.has(name)) changes.push([name, undefined])
    for (const tool of tools) if (list.get(tool.name) !== tool) changes.push([tool.name, tool])
    const atOnce = Math.max(CHANGED_AT_ONCE, Math.ceil(changes.length / MAX_STEPS))
    for (let from = 0; from + atOnce < changes.length; from += atOnce) {
      for (const [name, tool] of changes.slice(from, from + atOnce))
        if (tool === undefined) list.delete(name)
        else list.set(name, tool)
      yield [...list.values()]
    }
  }

  #become(tools: readonly ToolDefinition[]): void {
    const before = this.#byName
    this.#tools = tools
    this.#byName = byName(tools)
    for (const [name, tool] of this.#byName) if (before.get(name) !== tool) this.#unwritten.add(name)
    for (const name of before.keys()) if (!this.#byName.has(name)) this.#unwritten.add(name)
  }

  /** A list with few changes is written at once, one with many a little at a time. */
  #write(): void {
    const write = (): boolean => {
      const names = this.#unwritten.values().take(WRITTEN_AT_ONCE).toArray()
      for (const name of names) this.#unwritten.delete(name)
      return this.#writeSome(names) && this.#unwritten.size > 0
    }
    if (!write() || this.#writing !== undefined) return
    this.#writing = writeOn(write).finally(() => {
      this.#writing = undefined
    })
  }

  #writeSome(names: readonly string[]): boolean {
    const { store, pluginId, fingerprint, log } = this.#options
    const put = names.flatMap((name) => this.#byName.get(name) ?? [])
    const hints = this.#newHints
    const removed = names.filter((name) => !this.#byName.has(name))
    const progress = { begins: !this.#isKept, goesOn: this.#unwritten.size > 0 }
    try {
      const change = { put, removed, listedAt: Date.now(), ...progress, ...(hints && { hints }) }
      this.#isKept = store.change(pluginId, fingerprint, change)
      return this.#isKept || this.#writeAnew()
    } catch (error) {
      for (const name of names) this.#unwritten.add(name)
      log.error({ reason: messageOf(error) }, 'the known tools could not be written to the store')
      return false
    }
  }

  /** Another host that shares the store has a list of its own there; twice in a row, and the place is left to it. */
  #writeAnew(): boolean {
    for (const name of this.#byName.keys()) this.#unwritten.add(name)
    const goesOn = !this.#isWrittenAnew
    this.#isWrittenAnew = true
    return goesOn
  }
}

async function writeOn(write: () => boolean): Promise<void> {
  do await nextTurn()
  while (write())
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}
