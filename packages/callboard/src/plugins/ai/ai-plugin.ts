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

  start(host: PluginHost, signal: AbortSignal): Promise<void> {
    return this.#state.start((either) => this.#start(host, either), signal)
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
    const { runTool } = this.#opened
    const { ending } = this.#state
    const { secrets } = this.#options
    const both = AbortSignal.any([signal, ending])
    try {
      return await runTool({ call, provider, settings, signal: both, pluginId: this.id, secrets })
    } catch (thrown) {
      if (ending.aborted && !signal.aborted)
        throw new CallboardError('interrupted', `plugin "${this.id}" was stopped during the call`)
      throw signal.aborted ? cancelled(definition.name) : thrown
    }
  }

  health(): PluginHealth {
    return this.#state.health
  }

  stop(): Promise<void> {
    return this.#state.stop(async () => {
      this.#opened = undefined
    })
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }

  async #start(host: PluginHost, signal: AbortSignal): Promise<void> {
    try {
      const opened = await this.#open(host)
      signal.throwIfAborted()
      this.#opened = opened
      this.#state.enter('up')
    } catch (error) {
      // After a stop the state is the stopper's to set.
      if (!this.#state.ending.aborted) this.#state.enter('down', messageOf(error))
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${messageOf(error)}`, {
        cause: error,
      })
    }
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
    return { providers: new Map(providers), runTool }
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
