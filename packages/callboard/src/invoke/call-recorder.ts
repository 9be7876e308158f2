/** Has calls recorded: each when it has ended, and one that could leave no trace otherwise before it runs. */
import type { ToolDefinition } from '@callboard/sdk'
import type { Log } from '../log.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { ToolResult } from '../plugins/plugin.ts'
import type { CallOutcome, CallRecord, RecordedCall } from './call-record.ts'
import type { InvokeRequest } from './invoke-request.ts'
import { logCall } from './log-call.ts'
import { shownName, type ToolSource } from './resolve-tool.ts'
import type { RunningCall } from './running-call.ts'

/** Where records are kept. What it knows may change from call to call. */
export interface RecordKeeper extends Pick<ToolSource, 'excerpt'> {
  /**
   * A tool that is there, or as this model provider serves it, whoever may use it. Only the record learns of it, never
   * the caller.
   */
  known?(name: string, provider?: string): ToolDefinition | undefined
  readonly log: Log
  /**
   * Keeps the record of a call that has ended, or that is about to run. Its caller is answered, or it runs, once that
   * has resolved, or at once for undefined; what it rejects with is the answer instead. Defaults to a line in the log.
   */
  record?(record: CallRecord, call: RecordedCall): Promise<void> | undefined
  /** Whether records could not be kept lately. Nothing runs then before it is recorded that it will. */
  readonly isRecordingBroken?: boolean
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: CallOutcome
  /** Undefined where there is none. */
  readonly result?: ToolResult
}

/**
 * What it promises resolves once the record is kept, and rejects with what the caller is answered where it can't be.
 */
export class CallRecorder {
  readonly #keeper: RecordKeeper

  constructor(keeper: RecordKeeper) {
    this.#keeper = keeper
  }

  /**
   * Whether a call of the tool is to be recorded before it runs: what may destroy something is. A built-in tool only
   * hands on, and what it hands on to is recorded so.
   */
  isRecordedFirst({ package: pluginId, destructive }: ToolDefinition): boolean {
    return pluginId !== BUILTIN_ID && (destructive === true || this.#keeper.isRecordingBroken === true)
  }

  /** Before the call runs. Where that can't be recorded the call is over, without a record. */
  async begin(call: RunningCall, tool: ToolDefinition, args: InvokeRequest['arguments']): Promise<void> {
    try {
      await this.#keep(call.started(), tool, args)
    } catch (error) {
      call.giveUp()
      throw error
    }
  }

  /**
   * Ends the call. A tool that only the record may know of was denied, and not unknown. Undefined: there is nothing to
   * wait for.
   */
  end(
    call: RunningCall,
    { name, arguments: args, writtenArguments }: InvokeRequest,
    { outcome, result }: CallEnd,
  ): Promise<void> | undefined {
    if (outcome === 'unknown' && call.tool === undefined) call.hidden = this.#keeper.known?.(name)
    const record = call.end(outcome, result)
    const tool = call.hidden ?? call.tool
    if (record === undefined) return undefined
    const named = tool === undefined ? { ...record, tool: shownName(name, this.#keeper) } : record
    return this.#keep(named, tool, writtenArguments ?? args)
  }

  #keep(
    record: CallRecord,
    tool: ToolDefinition | undefined,
    args: InvokeRequest['arguments'],
  ): Promise<void> | undefined {
    if (this.#keeper.record !== undefined) return this.#keeper.record(record, { tool, arguments: args })
    logCall(this.#keeper.log, record)
    return undefined
  }
}
