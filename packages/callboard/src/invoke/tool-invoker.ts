/** How a tool is run: the fixed sequence of steps of every call. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import { CallboardError, messageOf } from '../errors.ts'
import { type ActingUser, nameOf } from '../gate/acting-user.ts'
import type { Gate } from '../gate/gate.ts'
import type { Log } from '../log.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { CallLog } from '../plugins/log-messages.ts'
import type { Progress, ToolCall, ToolResult } from '../plugins/plugin.ts'
import { namespacedName } from '../tools/names.ts'
import { ArgumentCheck } from './arguments/argument-check.ts'
import { callInTime, type TimedRun } from './call-in-time.ts'
import { type Callee, callInTurn, type TurnSource } from './call-in-turn.ts'
import { type CallOutcome, type CallRecord, outcomeOf, type RecordedCall } from './call-record.ts'
import type { CallSlots } from './call-slots.ts'
import { checkResult } from './check-result.ts'
import { chooseProvider, type ProviderRules } from './choose-provider.ts'
import { firstAvailable } from './first-available.ts'
import { resolveTool, type ToolSource } from './resolve-tool.ts'
import { RunningCall } from './running-call.ts'

/** What may accompany a call. */
export interface InvokeOptions {
  /** Where the call comes from. Defaults to `mcp`. */
  readonly surface?: Surface
  /** The caller's own way to cancel. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** Takes the log messages of the call. */
  readonly log?: CallLog
  readonly meta?: Readonly<Record<string, unknown>>
  /** Whether a large result may come as `encodedResult` makes it, which only who passes it on as it is can use. */
  readonly takesEncoded?: boolean
  /** The model provider to use, for AI tools. */
  readonly provider?: string
  /** Why the caller's surface refuses the call, which is recorded and thrown before anything is looked up. */
  readonly refusal?: CallboardError
  /** What the caller's surface demands of a call of this tool besides; throws to refuse it, before its arguments are looked at. */
  readonly onResolve?: (tool: CatalogTool, view: CatalogView) => void
  /** The tool through which this call came, such as `call_mcp_tool`. */
  readonly via?: string
  /**
   * The running call that only hands on to this one, as those of `call_mcp_tool` do. This call leaves the one record of
   * both, its time is the time of both, and `via` is the other's tool.
   */
  readonly inPlaceOf?: ToolCall
  /** The view of the request that this call is part of; the one of this moment when absent. */
  readonly view?: CatalogView
}

/** A call that names its tool. */
export interface InvokeRequest extends InvokeOptions {
  /** A public or namespaced name. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly user: ActingUser
}

/** Runs tools: every call, whatever surface it came from, takes the same steps in the same order. */
export interface ToolInvoker {
  /** Runs the tool that the name stands for in the user's view; throws `CallboardError` or `UpstreamError` when it could not be run. */
  run(request: InvokeRequest): Promise<ToolResult>
  /**
   * The library's own path: the same steps for a definition that is already known. It is the tool of that identity in the
   * user's view that runs; without one there, it is unknown.
   */
  invoke(
    definition: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
    user: ActingUser,
    options?: InvokeOptions,
  ): Promise<ToolResult>
}

export interface InvokerDependencies extends ToolSource, TurnSource {
  readonly gate: Gate
  /** The time of a call without progress, and of any call; and how many calls of one plugin may wait. */
  readonly limits: { readonly timeoutMs: number; readonly maxTimeoutMs: number; readonly queue: number }
  /** What the config says of model providers; nothing when absent. */
  readonly providers?: ProviderRules
  /** The timeout of one tool, where it has its own; `maxTimeoutMs` is no less than that. */
  timeoutOf?(definition: ToolDefinition): number | undefined
  /** A tool that is there, whoever may use it. Only the record learns of it, never the caller. */
  known?(name: string): ToolDefinition | undefined
  readonly log: Log
  /**
   * Keeps the record of a call that has ended, or that is about to run. Its caller is answered, or it runs, once that has
   * resolved, or at once for undefined; what it rejects with is the answer instead. Defaults to a line in the log.
   */
  record?(record: CallRecord, call: RecordedCall): Promise<void> | undefined
  /** Whether records could not be kept lately. Nothing runs then before it is recorded that it will. */
  readonly isRecordingBroken?: boolean
}

/** The invoker as the host knows it. */
export interface AssembledInvoker extends ToolInvoker {
  /** What a person should know of tools whose arguments are not checked, or not wholly. */
  reports(): string[]
  /** Makes the tool's schema ready, which its first call does otherwise; what can't be used of it is in `reports` then. */
  prepare(definition: ToolDefinition): Promise<void>
  /** Sends the calls that wait for their turn on a plugin that leaves to the one that has its place; without one they fail. */
  release(plugin: Callee): void
}

const NO_RULES: ProviderRules = { fallback: [], aliases: new Map() }

export function createToolInvoker(dependencies: InvokerDependencies): AssembledInvoker {
  const { log } = dependencies
  const argumentCheck = new ArgumentCheck(log)
  const running = new WeakMap<ToolCall, RunningCall>()
  /** Of the plugin itself and not of its id: one that restarts has nothing to do with the calls that its predecessor still answers. */
  const slots = new WeakMap<Callee, CallSlots>()

  async function run(request: InvokeRequest): Promise<ToolResult> {
    const call = new RunningCall(request, request.inPlaceOf && running.get(request.inPlaceOf))
    try {
      const result = await steps(request, call)
      const kept = end(request, call, result.isError === true ? 'tool_error' : 'ok', result)
      if (kept !== undefined) await kept
      return result
    } catch (thrown) {
      if (!call.isOver) await end(request, call, outcomeOf(thrown))
      throw thrown
    } finally {
      // The collector takes the values of a weak map for alive until it looks at everything, long after the call.
      if (call.toolCall !== undefined) running.delete(call.toolCall)
    }
  }

  /** The order is fixed: what may not be used is unknown before anything is said of its arguments. */
  async function steps(request: InvokeRequest, call: RunningCall): Promise<ToolResult> {
    if (request.refusal !== undefined) throw request.refusal
    const user = nameOf(request.user)
    const { view, tool: named } = await resolveTool(dependencies, request)
    call.tool = named.definition
    request.onResolve?.(named, view)
    const { tool, others, arguments: args } = chooseProvider(named, request, dependencies.providers ?? NO_RULES)
    call.tool = tool.definition
    call.provider = tool.entry.providers[0]
    await check(tool, user, args)
    if (leavesTrace(tool.definition, dependencies)) await leaveTrace(call, tool.definition, args)
    const time = timeOf(dependencies, tool.definition, request)
    const called = args === request.arguments ? request : { ...request, arguments: args }
    const result = await callInTime(tool.entry.name, time, (timed) => {
      const run = (one: CatalogTool, time: TimedRun) => serve(one, { request: called, view, timed: time, call })
      // Nearly every call is of a tool that one plugin alone can serve.
      if (others.length === 0) return run(tool, timed)
      return firstAvailable({ tool, others, timed, run, check: (one) => check(one, user, args) })
    })
    return checkResult(result, tool)
  }

  async function check(tool: CatalogTool, user: string, args: InvokeRequest['arguments']): Promise<void> {
    await argumentCheck.check(tool.definition, tool.entry.name, args)
    await admit(dependencies.gate, user, tool, args)
  }

  function serve(tool: CatalogTool, { request, view, timed, call }: Serving): Promise<ToolResult> {
    const toolCall = toolCallOf(request, tool, view, timed)
    if (call.toolCall !== undefined) running.delete(call.toolCall)
    call.tool = tool.definition
    call.provider = toolCall.provider
    call.timed = timed
    call.toolCall = toolCall
    running.set(toolCall, call)
    return callInTurn(dependencies, slots, tool, toolCall)
  }

  async function leaveTrace(call: RunningCall, tool: ToolDefinition, args: InvokeRequest['arguments']): Promise<void> {
    try {
      await keep(call.started(), tool, args)
    } catch (error) {
      call.giveUp()
      throw error
    }
  }

  /** A tool that only the record may know of was denied, and not unknown. */
  function end(
    { name, arguments: args }: InvokeRequest,
    call: RunningCall,
    outcome: CallOutcome,
    result?: ToolResult,
  ): Promise<void> | undefined {
    const hidden = outcome === 'unknown' && call.tool === undefined ? dependencies.known?.(name) : undefined
    const record = call.end(outcome, hidden, result)
    return record && keep(record, call.tool ?? hidden, args)
  }

  function keep(
    record: CallRecord,
    tool: ToolDefinition | undefined,
    args: InvokeRequest['arguments'],
  ): Promise<void> | undefined {
    if (dependencies.record !== undefined) return dependencies.record(record, { tool, arguments: args })
    log.info(record, 'call')
    return undefined
  }

  return {
    run,
    invoke: (definition, args, user, options = {}) =>
      run({ ...options, name: namespacedName(definition.package, definition.name), arguments: args, user }),
    reports: () => argumentCheck.reports(),
    release: (plugin) => slots.get(plugin)?.disband(),
    prepare: (definition) => argumentCheck.prepare(definition),
  }
}

/** What may destroy something is recorded before it does. A built-in tool only hands on, and what it hands on to is recorded so. */
function leavesTrace(
  { package: pluginId, destructive }: ToolDefinition,
  { isRecordingBroken }: InvokerDependencies,
): boolean {
  return pluginId !== BUILTIN_ID && (destructive === true || isRecordingBroken === true)
}

async function admit(gate: Gate, user: string, tool: CatalogTool, args: InvokeRequest['arguments']): Promise<void> {
  if (gate.admits === undefined) return
  const verdict: unknown = await gate.admits(user, tool.definition, args)
  if (verdict === true) return
  // An application in JavaScript may answer anything, and only `true` is a yes.
  const why = typeof verdict === 'string' ? verdict : 'no reason is given'
  throw new CallboardError('denied', `${JSON.stringify(tool.entry.name)} is not allowed with these arguments: ${why}`)
}

function timeOf({ limits, timeoutOf, log }: InvokerDependencies, definition: ToolDefinition, request: InvokeRequest) {
  const timeoutMs = timeoutOf?.(definition) ?? limits.timeoutMs
  const { onProgress, signal } = request
  return {
    timeoutMs,
    maxTimeoutMs: Math.max(limits.maxTimeoutMs, timeoutMs),
    signal,
    /** A caller who can't take progress is no fault of the tool. */
    onProgress:
      onProgress &&
      ((progress: Progress): void => {
        try {
          onProgress(progress)
        } catch (error) {
          log.warn(
            { tool: namespacedName(definition.package, definition.name) },
            `progress not taken: ${messageOf(error)}`,
          )
        }
      }),
  }
}

/** What a call is served with. */
interface Serving {
  readonly request: InvokeRequest
  readonly view: CatalogView
  readonly timed: TimedRun
  readonly call: RunningCall
}

function toolCallOf(
  { arguments: args, user, surface = 'mcp', meta, log, takesEncoded }: InvokeRequest,
  { definition, entry }: CatalogTool,
  catalog: CatalogView,
  { signal, onProgress }: TimedRun,
): ToolCall {
  const [provider] = entry.providers
  const call = { definition, arguments: args, user: nameOf(user), surface, signal, onProgress, catalog }
  return {
    ...call,
    ...(typeof user !== 'string' && { within: user.within }),
    ...(meta !== undefined && { meta }),
    ...(log !== undefined && { log }),
    ...(takesEncoded !== undefined && { takesEncoded }),
    ...(provider !== undefined && { provider }),
  }
}
