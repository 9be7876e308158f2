/** The plugin of kind `local`: a module, or a folder with a manifest, whose code runs in the host's own process. */
import type { DefinedPlugin, DefinedTool, ToolDefinition } from '@callboard/sdk'
import { runTool, type ToolOutcome } from '@callboard/sdk/host'
import type { LocalTarget } from '../../config/config.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import { AnswerCheck } from '../answer-check.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { RunState } from '../run-state.ts'
import { checkPlugin } from './check-plugin.ts'
import { loadPlugin } from './load-plugin.ts'
import { inPluginCode } from './plugin-code.ts'
import { stackOf } from './stack-of.ts'
import { toolContext } from './tool-context.ts'

export interface LocalPluginOptions {
  readonly id: string
  readonly target: LocalTarget
}

/**
 * Makes the plugin. Nothing of its code runs until `start`, which loads it anew each time; one that is given as a value
 * has its tools at once. Throws `config` for a value that is no plugin.
 */
export function createLocalPlugin(options: LocalPluginOptions): Plugin {
  return new LocalPlugin(options)
}

/** From one start to the end of it. */
interface Run {
  readonly host: PluginHost
  readonly answers: AnswerCheck
  /** By declared name. */
  readonly tools: ReadonlyMap<string, DefinedTool>
  /** Of the calls that run. */
  readonly endings: Set<AbortController>
}

class LocalPlugin implements Plugin {
  readonly kind = 'local'
  readonly id: string
  readonly #target: LocalTarget
  readonly #state: RunState
  #tools: readonly ToolDefinition[] = []
  #run: Run | undefined

  constructor({ id, target }: LocalPluginOptions) {
    this.id = id
    this.#target = target
    this.#state = new RunState(id)
    if ('plugin' in target) this.#tools = definitionsOf(checkPlugin(target.plugin, `plugin "${id}"`))
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools
  }

  health(): PluginHealth {
    return this.#state.health
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }

  giveUp(reason: string): void {
    this.#state.enter('failed', reason)
  }

  start(host: PluginHost, signal: AbortSignal): Promise<void> {
    return this.#state.start((either) => this.#start(host, either), signal)
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const run = this.#run
    if (run === undefined) throw this.#state.notUp()
    const { name } = call.definition
    const tool = run.tools.get(name)
    if (tool === undefined)
      throw new CallboardError('unavailable', `plugin "${this.id}" has no tool ${JSON.stringify(name)} any more`)
    // Not `AbortSignal.any`: Node 22 keeps what is made of a signal that lives on, and gets slower with each.
    const ending = new AbortController()
    const cancel = (): void => ending.abort(cancelled(call))
    if (call.signal.aborted) cancel()
    call.signal.addEventListener('abort', cancel, { once: true })
    run.endings.add(ending)
    try {
      ending.signal.throwIfAborted()
      const context = toolContext(call, run.host, ending.signal)
      const running = inPluginCode(this.id, () => runTool(tool, call.arguments, context))
      const outcome = await untilAborted(running, ending.signal)
      const misfit = outcome.kind === 'answered' ? await run.answers.misfit(tool.definition, outcome.result) : undefined
      const checked = misfit === undefined ? outcome : ({ kind: 'failed', reason: misfit, cause: undefined } as const)
      return this.#resultOf(checked, call, run)
    } finally {
      call.signal.removeEventListener('abort', cancel)
      run.endings.delete(ending)
    }
  }

  stop(): Promise<void> {
    return this.#state.stop(() => this.#release())
  }

  async #start(host: PluginHost, signal: AbortSignal): Promise<void> {
    const { ending } = this.#state
    try {
      signal.throwIfAborted()
      const plugin = await untilAborted(
        inPluginCode(this.id, () => this.#load()),
        signal,
      )
      const tools = new Map(plugin.tools.map((tool) => [tool.definition.name, tool]))
      this.#run = { host, answers: new AnswerCheck(host.log), tools, endings: new Set() }
      this.#tools = definitionsOf(plugin)
      this.#state.enter('up')
    } catch (error) {
      const reason = messageOf(error)
      // What is wrong with a plugin is not mended by trying again; that it took too long may be.
      if (!ending.aborted) this.#state.enter(signal.aborted ? 'down' : 'failed', reason)
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${reason}`, { cause: error })
    }
  }

  /** Actions that still run are told by their signals; nothing can end code that looks at none. */
  async #release(): Promise<void> {
    const stopped = new CallboardError('interrupted', `plugin "${this.id}" was stopped`)
    const endings = this.#run?.endings ?? []
    this.#run = undefined
    for (const ending of endings) ending.abort(stopped)
  }

  async #load(): Promise<DefinedPlugin> {
    if ('plugin' in this.#target) return this.#target.plugin
    const plugin = await loadPlugin(this.#target.path)
    if (plugin.id === this.id) return plugin
    throw new CallboardError(
      'config',
      `the config calls it "${this.id}", and ${this.#target.path} says it is "${plugin.id}"; make the two equal`,
    )
  }

  #resultOf(outcome: ToolOutcome, { definition }: ToolCall, { host }: Run): ToolResult {
    const name = JSON.stringify(definition.name)
    switch (outcome.kind) {
      case 'answered':
        return outcome.result
      case 'invalid':
        throw new CallboardError('invalid_arguments', `invalid arguments for ${name}: ${outcome.problems.join('; ')}`)
      case 'failed':
        host.log.warn({ tool: definition.name, reason: outcome.reason, stack: stackOf(outcome.cause) }, 'a tool failed')
        throw new CallboardError('tool_failed', `plugin "${this.id}" failed to run ${name}: ${outcome.reason}`, {
          cause: outcome.cause,
        })
    }
  }
}

function cancelled({ definition, signal }: ToolCall): CallboardError {
  if (signal.reason instanceof CallboardError) return signal.reason
  return new CallboardError('cancelled', `the call of ${JSON.stringify(definition.name)} was cancelled`)
}

function definitionsOf({ tools }: DefinedPlugin): readonly ToolDefinition[] {
  return tools.map(({ definition }) => definition)
}

/** Settles as the work does, or rejects with the signal's reason as soon as that is aborted. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const abort = (): void => reject(signal.reason)
  // The work may have had it aborted before it came to its first pause.
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  return promise
}
