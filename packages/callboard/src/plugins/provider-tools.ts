/**
 * The tools of plugins that serve model providers: who serves which provider, and which tools are one for all of them.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import { namespacedName } from '../tools/names.ts'

/** What the config says of providers. */
export interface ProviderSettings {
  /** The provider as whose a tool is shown that several serve. */
  readonly default?: string
  /** Provider -> the id of the plugin that serves it, where several claim to. */
  readonly owners: ReadonlyMap<string, string>
}

/** A plugin that claims to serve providers. */
export interface ProviderPlugin {
  readonly id: string
  /** What stands before the declared names of its tools. */
  readonly prefix: string
  readonly providers: readonly string[]
  /** Its tools as this provider serves them. */
  toolsFor(provider: string): readonly ToolDefinition[]
}

/** A tool as one provider serves it. */
export interface ProviderOffer {
  readonly provider: string
  readonly definition: ToolDefinition
}

/** A tool with its offers, the preferred one first. */
export interface ProviderTool {
  readonly prefix: string
  readonly declaredName: string
  readonly offers: readonly [ProviderOffer, ...ProviderOffer[]]
}

/** What is different between the tools of one moment and the next. */
export interface ProviderToolChange {
  /** Every namespaced name under which a changed tool went before. */
  readonly removed: readonly string[]
  readonly put: readonly ProviderTool[]
}

/** The namespaced names of a tool, sorted; the first one stands for all of them where names are given. */
export function namespacedNamesOf({ offers }: ProviderTool): readonly string[] {
  return [...new Set(offers.map(({ definition }) => namespacedName(definition.package, definition.name)))].sort()
}

export class ProviderTools {
  /** By prefix and declared name: tools that are called the same are one. */
  #tools: ReadonlyMap<string, ProviderTool> = new Map()
  /** By the name that stands for the tool. */
  #byName: ReadonlyMap<string, ProviderTool> = new Map()
  #claims: ReadonlyMap<string, readonly string[]> = new Map()
  #settings: ProviderSettings = { owners: new Map() }

  /** Goes by these settings from the next `take` on. */
  set settings(settings: ProviderSettings) {
    this.#settings = settings
  }

  /** Whether the plugin claimed a provider when they were taken last. */
  includes(pluginId: string): boolean {
    return [...this.#claims.values()].some((ids) => ids.includes(pluginId))
  }

  all(): readonly ProviderTool[] {
    return [...this.#tools.values()]
  }

  /** The tool for which this namespaced name stands; of its namespaced names, the first one. */
  named(name: string): ProviderTool | undefined {
    return this.#byName.get(name)
  }

  /** Takes over which plugins there are. A tool that is as it was stays the same object. */
  take(plugins: readonly ProviderPlugin[]): ProviderToolChange {
    this.#claims = claimsOf(plugins)
    const before = this.#tools
    const after = new Map<string, ProviderTool>()
    for (const [key, tool] of this.#gather(plugins)) {
      const known = before.get(key)
      after.set(key, isDeepStrictEqual(known, tool) && known !== undefined ? known : tool)
    }
    this.#tools = after
    this.#byName = new Map([...after.values()].map((tool) => [namespacedNamesOf(tool)[0] ?? '', tool]))
    return {
      removed: [...before]
        .filter(([key, tool]) => after.get(key) !== tool)
        .flatMap(([, tool]) => namespacedNamesOf(tool)),
      put: [...after].filter(([key, tool]) => before.get(key) !== tool).map(([, tool]) => tool),
    }
  }

  /**
   * Of the providers that a plugin claims, those that it serves: a contested one is served by whom the config names, or
   * by nobody.
   */
  servedBy({ id, providers }: Pick<ProviderPlugin, 'id' | 'providers'>): readonly string[] {
    return providers.filter((provider) => {
      const claimants = this.#claims.get(provider) ?? []
      return claimants.length === 1 || this.#ownerOf(provider) === id
    })
  }

  /** What a person should know of what these plugins claim, one sentence each. */
  reports(pluginIds: readonly string[]): readonly string[] {
    return [...this.#claims]
      .filter(([provider, claimants]) => claimants.length > 1 && this.#ownerOf(provider) === undefined)
      .filter(([, claimants]) => claimants.some((id) => pluginIds.includes(id)))
      .map(([provider, claimants]) => {
        const who = claimants.map((id) => `"${id}"`).join(' and ')
        return `the provider "${provider}" is claimed by ${who}, so that none of them serves it; say in the config which does: ai.owners: { ${provider}: ${claimants[0]} }`
      })
  }

  /** Undefined where the config names nobody who claims it. */
  #ownerOf(provider: string): string | undefined {
    const owner = this.#settings.owners.get(provider)
    return owner !== undefined && this.#claims.get(provider)?.includes(owner) === true ? owner : undefined
  }

  #gather(plugins: readonly ProviderPlugin[]): ReadonlyMap<string, ProviderTool> {
    const tools = new Map<string, ProviderTool>()
    for (const { provider, prefix, definition } of this.#offers(plugins)) {
      const key = JSON.stringify([prefix, definition.name])
      const offer = { provider, definition }
      const known = tools.get(key)
      tools.set(key, {
        prefix,
        declaredName: definition.name,
        offers: known === undefined ? [offer] : [...known.offers, offer],
      })
    }
    return tools
  }

  /** Of the preferred provider first, then in the order of the providers' names. */
  #offers(plugins: readonly ProviderPlugin[]): readonly (ProviderOffer & { readonly prefix: string })[] {
    const rank = (provider: string): number => (provider === this.#settings.default ? 0 : 1)
    return plugins
      .flatMap((plugin) => this.servedBy(plugin).map((provider) => ({ plugin, provider })))
      .sort((a, b) => rank(a.provider) - rank(b.provider) || (a.provider < b.provider ? -1 : 1))
      .flatMap(({ plugin, provider }) =>
        plugin.toolsFor(provider).map((definition) => ({ provider, prefix: plugin.prefix, definition })),
      )
  }
}

/** Who claims each provider, sorted. */
function claimsOf(plugins: readonly ProviderPlugin[]): ReadonlyMap<string, readonly string[]> {
  const claims = Map.groupBy(
    plugins.flatMap(({ id, providers }) => providers.map((provider) => ({ id, provider }))),
    ({ provider }) => provider,
  )
  return new Map([...claims].map(([provider, all]) => [provider, all.map(({ id }) => id).sort()]))
}
