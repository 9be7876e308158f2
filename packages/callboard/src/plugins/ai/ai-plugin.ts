/** A bridge to one or more model providers, as a plugin. */
import type { ToolDefinition } from '@callboard/sdk'
import type { AiProvider } from '../../config/config.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { RunState } from '../run-state.ts'
import { AI_TOOLS, aiTools } from './ai-tools.ts'
import type { BreakerOptions } from './attempts.ts'
import type { ModelProvider } from './model-provider.ts'
import type { ProviderCall } from './run-tool.ts'

/** What a provider says of itself may be a page. */
const REASON_MAX = 300

export interface AiPluginOptions {
  readonly id: string
  /** At least one. */
  readonly providers: readonly AiProvider[]
  /** Kept out of what is said of errors. */
  readonly secrets: Secrets
  readonly breaker?: BreakerOptions
}

/** What it reads when it starts. */
interface Opened {
  readonly providers: ReadonlyMap<string, ModelProvider>
  readonly runTool: (call: ProviderCall) => Promise<ToolResult>
  /** Aborted when it stops. */
  readonly ended: AbortController
}

export class AiPlugin implements Plugin {
  readonly id: string
  readonly kind = 'ai'
  readonly providers: readonly string[]
  readonly tools: readonly ToolDefinition[]
  readonly #options: AiPluginOptions
  /** The tools of each provider, by name. */
  readonly #toolsOf: ReadonlyMap<string, ReadonlyMap<string, ToolDefinition>>
  readonly #state: RunState
  #opened: Opened | undefined
  #starting: AbortController | undefined

  constructor(options: AiPluginOptions) {
    const { id, providers } = options
    this.#options = options
    this.id = id
    this.providers = providers.map(({ provider }) => provider)
    this.#toolsOf = new Map(
      providers.map((provider) => [provider.provider, new Map(aiTools(id, provider).map((tool) => [tool.name, tool]))]),
    )
    this.tools = [...(this.#toolsOf.get(this.providers[0] ?? '')?.values() ?? [])]
    this.#state = new RunState(id)
  }

  toolFor(tool: ToolDefinition, provider: string): ToolDefinition {
    return this.#toolsOf.get(provider)?.get(tool.name) ?? tool
  }

  async start(host: PluginHost, signal: AbortSignal): Promise<void> {
    if (this.#opened !== undefined || this.#starting !== undefined)
      throw new CallboardError('internal', `plugin "${this.id}" is started already`)
    const starting = new AbortController()
    this.#starting = starting
    this.#state.enter('starting')
    try {
      const opened = await this.#open(host)
      signal.throwIfAborted()
      starting.signal.throwIfAborted()
      this.#opened = opened
      this.#starting = undefined
      this.#state.enter('up')
    } catch (error) {
      this.#starting = undefined
      const isStopped = starting.signal.aborted
      this.#state.enter(isStopped ? 'stopped' : 'down', messageOf(error))
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const { definition, signal } = call
    if (this.#opened === undefined) throw this.#state.notUp()
    if (signal.aborted) throw cancelled(definition.name)
    const name = call.provider ?? this.providers[0] ?? ''
    const provider = this.#opened.providers.get(name)
    const settings = this.#options.providers.find((one) => one.provider === name)
    if (provider === undefined || settings === undefined)
      throw new CallboardError('not_found', `plugin "${this.id}" has no provider "${name}"`)
    if (!Object.values<string>(AI_TOOLS).includes(definition.name))
      throw new CallboardError('not_found', `plugin "${this.id}" has no tool "${definition.name}"`)
    const { runTool, ended } = this.#opened
    const { secrets } = this.#options
    const both = AbortSignal.any([signal, ended.signal])
    try {
      return await runTool({ call, provider, settings, signal: both, pluginId: this.id, secrets })
    } catch (thrown) {
      if (ended.signal.aborted && !signal.aborted)
        throw new CallboardError('interrupted', `plugin "${this.id}" was stopped during the call`)
      throw signal.aborted ? cancelled(definition.name) : thrown
    }
  }

  health(): PluginHealth {
    return this.#state.health
  }

  async stop(): Promise<void> {
    this.#starting?.abort(new CallboardError('cancelled', 'it was stopped'))
    const opened = this.#opened
    this.#opened = undefined
    opened?.ended.abort()
    if (opened !== undefined) this.#state.enter('stopped')
    else if (this.#starting === undefined && this.#state.health.state !== 'stopped') this.#state.enter('stopped')
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }

  async #open({ log }: PluginHost): Promise<Opened> {
    const [{ ModelProvider: Provider }, { runTool }, { withoutKey }] = await Promise.all([
      import('./model-provider.ts'),
      import('./run-tool.ts'),
      import('./without-key.ts'),
    ])
    const { breaker, secrets } = this.#options
    const providers = await Promise.all(
      this.#options.providers.map(async (provider) => {
        const excerpt = (reason: string): string =>
          withoutKey(reason, { key: provider.apiKey, secrets, max: REASON_MAX })
        const attempts = { ...breaker, onChange: () => this.#tellHealth(), excerpt }
        const opened = await Provider.open({ provider, log, attempts })
        return [provider.provider, opened] as const
      }),
    )
    return { providers: new Map(providers), runTool, ended: new AbortController() }
  }

  /** It is up while its providers are not: they are others' machines, and asked again by the next call. */
  #tellHealth(): void {
    if (this.#opened === undefined) return
    const troubles = [...this.#opened.providers].flatMap(([name, { trouble }]) =>
      trouble === undefined ? [] : [`${name} is ${trouble}`],
    )
    const reason = troubles.length === 0 ? undefined : troubles.join('; ')
    if (reason !== this.#state.health.reason) this.#state.explain(reason)
  }
}

function cancelled(tool: string): CallboardError {
  return new CallboardError('cancelled', `${tool} was cancelled`)
}
