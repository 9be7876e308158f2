/** Makes what a config says of model providers: those of each bridge, and what holds for all of them. */
import { nearestOrAll } from '../nearest-or-all.ts'
import type { AiProviderSettings, AiSettings } from './ai-schema.ts'
import type { AiApi, AiConfig, AiProvider, PluginConfig } from './config.ts'
import type { TargetOptions } from './mcp-target.ts'
import { rememberLiterals } from './secret-values.ts'
import type { SourcePath } from './source-node.ts'
import type { ValueChecker } from './value-checker.ts'

type Bridge = AiProviderSettings | readonly AiProviderSettings[]

/** The providers of the bridge at `path`; their faults are added to the problems. */
export function aiProviders(
  bridge: Bridge,
  path: SourcePath,
  { checker, enabled, secrets }: Pick<TargetOptions, 'checker' | 'enabled' | 'secrets'>,
): readonly AiProvider[] {
  const providers: AiProvider[] = []
  placed(bridge, path).forEach(([settings, place]) => {
    rememberLiterals({ apiKey: settings.apiKey, url: settings.baseUrl }, secrets)
    const provider = providerOf(settings)
    if (providers.some((other) => other.provider === provider.provider))
      checker.refuse(
        [...place, 'provider'],
        () => `the provider ${provider.provider} is there twice in this bridge; keep one`,
      )
    // Of a disabled plugin, variables may be missing.
    if (enabled) for (const [key, fault] of faultsOf(provider)) checker.refuse([...place, key], () => fault)
    providers.push(provider)
  })
  return providers
}

function placed(bridge: Bridge, path: SourcePath): readonly (readonly [AiProviderSettings, SourcePath])[] {
  return isList(bridge) ? bridge.map((settings, index) => [settings, [...path, index]] as const) : [[bridge, path]]
}

function isList(bridge: Bridge): bridge is readonly AiProviderSettings[] {
  return Array.isArray(bridge)
}

function providerOf(settings: AiProviderSettings): AiProvider {
  const { provider, model, models = [], apiKey, baseUrl, maxTokens } = settings
  const api = settings.api ?? usualApi(provider)
  return {
    provider,
    api,
    models: [...new Set([model, ...models])],
    images: settings.images ?? api !== 'openai-compatible',
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
}

function usualApi(provider: string): AiApi {
  return provider === 'openai' || provider === 'anthropic' || provider === 'google' ? provider : 'openai-compatible'
}

function faultsOf({ provider, api, apiKey, baseUrl }: AiProvider): readonly (readonly [key: string, fault: string])[] {
  const faults: [string, string][] = []
  if (api !== 'openai-compatible' && apiKey === undefined)
    faults.push(['apiKey', `this key is missing; ${api} takes no call without one: apiKey: '\${${keyVariable(api)}}'`])
  if (api === 'openai-compatible' && baseUrl === undefined)
    faults.push([
      'baseUrl',
      `this key is missing; expected the address of ${provider}, such as http://127.0.0.1:11434/v1, or another \`api\``,
    ])
  const isAddress = baseUrl === undefined || (URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol))
  if (!isAddress) faults.push(['baseUrl', 'expected an address that begins with http:// or https://'])
  else if (baseUrl !== undefined && /[?#@]/.test(baseUrl))
    faults.push(['baseUrl', 'expected an address without credentials, ? and #; a key belongs under `apiKey`'])
  return faults
}

function keyVariable(api: AiApi): string {
  return `${api.toUpperCase().replace('-', '_')}_API_KEY`
}

/** What holds for all providers. */
export function buildAi(settings: AiSettings): AiConfig {
  return {
    ...(settings.default !== undefined && { default: settings.default }),
    fallback: settings.fallback,
    aliases: byName(settings.aliases),
    owners: byName(settings.owners),
  }
}

/** Adds to the problems what the section `ai` says of providers or plugins that are not there. */
export function checkAi(settings: AiSettings, plugins: readonly PluginConfig[], checker: ValueChecker): void {
  const known = new Set(plugins.flatMap(providersOf))
  const check = (path: SourcePath, provider: string): void => {
    if (!known.has(provider)) checker.refuse(path, () => unknownProvider(provider, known))
  }
  if (settings.default !== undefined) check(['ai', 'default'], settings.default)
  settings.fallback.forEach((provider, index) => {
    check(['ai', 'fallback', index], provider)
  })
  for (const [alias, provider] of Object.entries(settings.aliases)) {
    check(['ai', 'aliases', alias], provider)
    if (known.has(alias.toLowerCase()))
      checker.refuseKey(['ai', 'aliases', alias], () => 'a provider has this name already; choose another')
  }
  for (const [provider, owner] of Object.entries(settings.owners)) {
    const ids = plugins.filter((plugin) => providersOf(plugin).includes(provider.toLowerCase())).map(({ id }) => id)
    if (ids.includes(owner)) continue
    checker.refuse(['ai', 'owners', provider], () =>
      ids.length === 0
        ? unknownProvider(provider, known)
        : `expected a plugin that serves this provider: ${ids.join(', ')}`,
    )
  }
}

function unknownProvider(provider: string, known: ReadonlySet<string>): string {
  if (known.size === 0) return 'no plugin serves a provider; add one of kind `ai`'
  return `no plugin serves the provider ${provider}; ${nearestOrAll(provider, [...known].sort(), '`')}`
}

function byName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]))
}

function providersOf(plugin: PluginConfig): readonly string[] {
  return plugin.kind === 'ai' ? plugin.ai.map(({ provider }) => provider) : (plugin.provides ?? [])
}
