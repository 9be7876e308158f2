/** How a tool is run: the fixed sequence of steps of every call. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import { CallboardError, messageOf } from '../errors.ts'
import { type ActingUser, nameOf } from '../gate/acting-user.ts'
import type { Gate } from '../gate/gate.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { Progress, ToolCall, ToolResult } from '../plugins/plugin.ts'
import { namespacedName } from '../tools/names.ts'
import { ArgumentCheck } from './arguments/argument-check.ts'
import { requireDoubles } from './arguments/require-doubles.ts'
import { callInTime, type TimedRun } from './call-in-time.ts'
import { type Callee, callInTurn, type TurnSource } from './call-in-turn.ts'
import { outcomeOf } from './call-record.ts'
import { CallRecorder, type RecordKeeper } from './call-recorder.ts'
import type { CallSlots } from './call-slots.ts'
import { checkResult } from './check-result.ts'
import { chooseProvider, type ProviderChoice, type ProviderRules } from './choose-provider.ts'
import { decodeLarge } from './decode-large.ts'
import { encodeLarge } from './encode-large.ts'
import { firstAvailable } from './first-available.ts'
import { gateAnswer } from './gate-answer.ts'
import type { InvokeOptions, InvokeRequest } from './invoke-request.ts'
import { resolveTool, type ToolSource } from './resolve-tool.ts'
import { RunningCall } from './running-call.ts'
import { toolCallOf } from './tool-call-of.ts'

/** Runs tools: every call, whatever surface it came from, takes the same steps in the same order. */
export interface ToolInvoker {
  /**
   * Runs the tool that the name stands for in the user's view; throws `CallboardError` or `UpstreamError` when it could
   * not be run.
   */
  run(request: InvokeRequest): Promise<ToolResult>
  /**
   * The library's own path: the same steps for a definition that is already known. It is the tool of that identity in
   * the user's view that runs; without one there, it is unknown.
   */
  invoke(
    definition: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
    user: ActingUser,
    options?: InvokeOptions,
  ): Promise<ToolResult>
}

export interface InvokerDependencies extends ToolSource, TurnSource, RecordKeeper {
  readonly gate: Gate
  /** The time of a call without progress, and of any call; and how many calls of one plugin may wait. */
  readonly limits: { readonly timeoutMs: number; readonly maxTimeoutMs: number; readonly queue: number }
  /** What the config says of model providers; nothing when absent. */
  readonly providers?: ProviderRules
  /** The timeout of one tool, where it has its own; `maxTimeoutMs` is no less than that. */
  timeoutOf?(definition: ToolDefinition): number | undefined
}

/** The invoker as the host knows it. */
export interface AssembledInvoker extends ToolInvoker {
  /** What a person should know of tools whose arguments are not checked, or not wholly. */
  reports(): string[]
  /**
   * Makes the tool's schema ready, which its first call does otherwise; what can't be used of it is in `reports` then.
   */
  prepare(definition: ToolDefinition): Promise<void>
  /**
   * Sends the calls that wait for their turn on a plugin that leaves to the one that has its place; without one they
   * fail.
   */
  release(plugin: Callee): void
}

/** Calls around a call: more than tools have a use for, and fewer than would take every place of a plugin. */
const MAX_DEPTH = 16

const NO_RULES: ProviderRules = { fallback: [], aliases: new Map() }

export function createToolInvoker(dependencies: InvokerDependencies): AssembledInvoker {
  const steps = new CallSteps(dependencies)
  const run = (request: InvokeRequest): Promise<ToolResult> => steps.run(request)
  return {
    run,
    invoke: (definition, args, user, options = {}) =>
      run({ ...options, name: namespacedName(definition.package, definition.name), arguments: args, user }),
    reports: () => steps.argumentCheck.reports(),
    release: (plugin) => steps.slots.get(plugin)?.disband(),
    prepare: (definition) => steps.argumentCheck.prepare(definition),
  }
}

/** What a call is served with. */
interface Serving {
  readonly request: InvokeRequest
  readonly view: CatalogView
  readonly timed: TimedRun
  readonly call: RunningCall
}

class CallSteps {
  readonly argumentCheck: ArgumentCheck
  /**
   * Of the plugin itself and not of its id: one that restarts has nothing to do with the calls that its predecessor
   * still answers.
   */
  readonly slots: WeakMap<Callee, CallSlots> = new WeakMap()
  readonly #dependencies: InvokerDependencies
  readonly #recorder: CallRecorder
  /** Those of the built-in tools, which hand on. */
  readonly #running = new WeakMap<ToolCall, RunningCall>()

  constructor(dependencies: InvokerDependencies) {
    this.argumentCheck = new ArgumentCheck(dependencies.log)
    this.#dependencies = dependencies
    this.#recorder = new CallRecorder(dependencies)
  }

  async run(request: InvokeRequest): Promise<ToolResult> {
    const call = new RunningCall(request, request.inPlaceOf && this.#running.get(request.inPlaceOf))
    try {
      const result = await this.#steps(request, call)
      const kept = this.#recorder.end(call, request, { outcome: result.isError === true ? 'tool_error' : 'ok', result })
      if (kept !== undefined) await kept
      return result
    } catch (thrown) {
      if (!call.isOver) await this.#recorder.end(call, request, { outcome: outcomeOf(thrown) })
      throw thrown
    } finally {
      // The collector takes the values of a weak map for alive until it looks at everything, long after the call.
      if (call.toolCall !== undefined) this.#running.delete(call.toolCall)
    }
  }

  /** The order is fixed: what may not be used is unknown before anything is said of its arguments. */
  async #steps(request: InvokeRequest, call: RunningCall): Promise<ToolResult> {
    if (request.refusal !== undefined) throw request.refusal
    if ((request.depth ?? 0) > MAX_DEPTH)
      throw new CallboardError(
        'tool_failed',
        `${JSON.stringify(request.name)} was not called: tools call each other ${MAX_DEPTH} deep already, by ${JSON.stringify(request.via ?? '')} last`,
      )
    const found = resolveTool(this.#dependencies, request)
    const { view, tool: named } = found instanceof Promise ? await found : found
    call.means(named)
    request.onResolve?.(named, view)
    const choice = this.#choose(named, request, call)
    const { tool, arguments: args } = choice
    call.servedBy(tool)
    const checking = this.#check(tool, request, args)
    if (checking !== undefined) await checking
    if (this.#recorder.isRecordedFirst(tool.definition))
      await this.#recorder.begin(call, tool.definition, request.writtenArguments ?? args)
    const time = timeOf(this.#dependencies, tool.definition, request)
    const called = args === request.arguments ? request : { ...request, arguments: args }
    const result = await callInTime(tool.entry.name, time, (timed) =>
      this.#give(choice, { request: called, view, timed, call }),
    )
    const checked = checkResult(result, tool)
    return request.takesEncoded === true ? encodeLarge(checked, request.signal) : decodeLarge(checked, request.signal)
  }

  /** What the chosen provider gives, or another one in its place. */
  #give({ tool, others }: ProviderChoice, serving: Serving): Promise<ToolResult> {
    // Nearly every call is of a tool that one plugin alone can serve.
    if (others.length === 0) return this.#serve(tool, serving)
    const { request } = serving
    // A result says who gave it, and that can't be added to bytes.
    const serve = (one: CatalogTool, timed: TimedRun): Promise<ToolResult> =>
      this.#serve(one, { ...serving, timed }).then((result) => decodeLarge(result, timed.signal))
    return firstAvailable({
      tool,
      others,
      timed: serving.timed,
      run: serve,
      check: async (one) => this.#check(one, request, request.arguments),
      onAnswer: (one) => serving.call.servedBy(one),
    })
  }

  #choose(tool: CatalogTool, request: InvokeRequest, call: RunningCall): ProviderChoice {
    const { providers = NO_RULES, known } = this.#dependencies
    return chooseProvider(tool, request, providers, (provider) => {
      call.hidden = known?.(request.name, provider)
    })
  }

  /** Undefined where the arguments are found right at once, as nearly always. */
  #check(tool: CatalogTool, request: InvokeRequest, args: InvokeRequest['arguments']): Promise<void> | undefined {
    const { writtenArguments: written } = request
    if (written !== undefined) requireDoubles(written, tool, this.#dependencies)
    const checking = this.argumentCheck.check(tool.definition, tool.entry.name, args)
    return this.#dependencies.gate.admits === undefined ? checking : this.#admit(tool, request, { args, checking })
  }

  async #admit(
    tool: CatalogTool,
    { user, signal }: InvokeRequest,
    { args, checking }: { readonly args: InvokeRequest['arguments']; readonly checking: Promise<void> | undefined },
  ): Promise<void> {
    await checking
    const { gate, limits } = this.#dependencies
    const time = { timeoutMs: limits.timeoutMs, signal }
    const verdict: unknown = await gateAnswer('admits', time, () => gate.admits?.(nameOf(user), tool.definition, args))
    if (verdict === true) return
    // An application in JavaScript may answer anything, and only `true` is a yes.
    const why = typeof verdict === 'string' ? verdict : 'no reason is given'
    throw new CallboardError('denied', `${JSON.stringify(tool.entry.name)} is not allowed with these arguments: ${why}`)
  }

  #serve(tool: CatalogTool, serving: Serving): Promise<ToolResult> {
    const { timed, call } = serving
    const toolCall = toolCallOf(tool, serving)
    call.servedBy(tool)
    call.timed = timed
    // No others hand on, and each call in a table of weak references costs.
    if (tool.definition.package === BUILTIN_ID) {
      call.toolCall = toolCall
      this.#running.set(toolCall, call)
    }
    return callInTurn(this.#dependencies, this.slots, tool, toolCall)
  }
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
