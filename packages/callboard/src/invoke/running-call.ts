/** A call from its beginning to its record. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { type ActingUser, nameOf } from '../gate/acting-user.ts'
import { aiUseOf } from '../plugins/ai-answer.ts'
import type { ToolCall, ToolResult } from '../plugins/plugin.ts'
import { namespacedName } from '../tools/names.ts'
import type { TimedRun } from './call-in-time.ts'
import type { CallOutcome, CallRecord } from './call-record.ts'
import { jsonLength } from './json-length.ts'

/** Of a request, what its record says. */
interface RecordedRequest {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly user: ActingUser
  readonly surface?: Surface
  readonly via?: string
  readonly inPlaceOf?: ToolCall
}

export class RunningCall {
  /** What it meant and its caller may not know of: it was denied then, whatever the caller was told. */
  hidden: ToolDefinition | undefined
  provider: string | undefined
  timed: TimedRun | undefined
  /** As the built-in plugin was given it, whose tools may hand on. */
  toolCall: ToolCall | undefined
  readonly #request: RecordedRequest
  #tool: CatalogTool | undefined
  readonly #time = Date.now()
  readonly #start = performance.now()
  readonly #resume: (() => void) | undefined
  #isHandedOn = false
  #isOver = false

  /** @param outer the running call that only hands on to this one */
  constructor(request: RecordedRequest, outer: RunningCall | undefined) {
    this.#request = request
    if (outer !== undefined) outer.#isHandedOn = true
    this.#resume = outer?.timed?.pause()
  }

  /** What it turned out to run. */
  get tool(): ToolDefinition | undefined {
    return this.#tool?.definition
  }

  /** Whether it has ended, so that nothing more is recorded of it. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Notes the tool that its name stands for. */
  means(tool: CatalogTool): void {
    this.#tool = tool
  }

  /** Notes the tool that runs, as its provider serves it. */
  servedBy(tool: CatalogTool): void {
    this.#tool = tool
    this.provider = tool.entry.providers[0]
  }

  /** The record of a call that is about to run. */
  started(): CallRecord {
    return this.#record('started', 0, undefined)
  }

  /** Ends it. Answers with its record, or undefined where it handed on: the other call leaves the record of both. */
  end(outcome: CallOutcome, result?: ToolResult): CallRecord | undefined {
    this.#resume?.()
    const durationMs = Math.round((performance.now() - this.#start) * 100) / 100
    const record = this.#isHandedOn
      ? undefined
      : this.#record(this.hidden === undefined ? outcome : 'denied', durationMs, result)
    // A result that can't even be measured is a failed call, which is recorded as such.
    this.#isOver = true
    return record
  }

  /** Ends it without a record, because there can be none. */
  giveUp(): void {
    this.#resume?.()
    this.#isOver = true
  }

  #record(outcome: CallOutcome, durationMs: number, result: ToolResult | undefined): CallRecord {
    const { name, arguments: args, user, surface = 'mcp', via, inPlaceOf } = this.#request
    // Any server may write what it wants there; of the tool of a provider it is the answer of a model.
    const ai = this.provider !== undefined && result !== undefined ? aiUseOf(result) : undefined
    return {
      time: this.#time,
      user: nameOf(user),
      surface,
      // The name that is there already: V8 takes three times as long for a record with one that was just put together.
      tool:
        this.hidden === undefined
          ? (this.#tool?.entry.namespacedName ?? name)
          : namespacedName(this.hidden.package, this.hidden.name),
      plugin: (this.hidden ?? this.tool)?.package,
      outcome,
      durationMs,
      argumentsSize: jsonLength(args),
      resultSize: result && jsonLength(result),
      via: via ?? inPlaceOf?.definition.name,
      provider: this.provider,
      ...(ai !== undefined && { ai }),
    }
  }
}
