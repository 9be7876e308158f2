/** Which model provider serves a call, and who else may where it is unavailable. */
import { type CatalogTool, offerOf } from '../catalog/catalog-tool.ts'
import { PROVIDER_ARGUMENT, takesProviderArgument } from '../catalog/provider-argument.ts'
import { CallboardError } from '../errors.ts'

type Arguments = Readonly<Record<string, unknown>>

/** What the config says of all providers; every name is in small letters. */
export interface ProviderRules {
  /** Of a call that names none. */
  readonly default?: string
  /** Who serves such a call, in this order, while its provider is unavailable. */
  readonly fallback: readonly string[]
  /** A further name -> the provider. */
  readonly aliases: ReadonlyMap<string, string>
}

export interface ProviderChoice {
  /** The tool as the chosen provider serves it. */
  readonly tool: CatalogTool
  /** The same of those who may serve the call instead, in this order. */
  readonly others: readonly CatalogTool[]
  /** Without the choice, where it was one of them. */
  readonly arguments: Arguments
}

/**
 * The provider that the caller named, in any case, else the default, else the only one. Who names one gets no other:
 * what is meant for one provider may be meant for no other's eyes. Only those count that are in the caller's view of
 * the tool. Throws `invalid_arguments` where that settles nothing.
 * @param onAbsent is told of a provider that the caller named and that the tool does not have in the caller's view
 */
export function chooseProvider(
  tool: CatalogTool,
  request: { readonly provider?: string; readonly arguments: Arguments },
  rules: ProviderRules,
  onAbsent: (provider: string) => void = () => {},
): ProviderChoice {
  // Nearly every call is of such a tool.
  if (tool.entry.providers.length === 0 && request.provider === undefined)
    return { tool, others: [], arguments: request.arguments }
  const { wanted, args } = readWanted(tool, request)
  const provider = wanted === undefined ? usual(tool, rules) : named(tool, wanted, rules, onAbsent)
  const fallback = wanted === undefined ? rules.fallback.filter((other) => other !== provider) : []
  const offers = [provider, ...fallback].flatMap((name) => offerOf(tool, name) ?? [])
  const [first = tool, ...others] = offers
  return { tool: first, others, arguments: args }
}

function readWanted(
  tool: CatalogTool,
  request: { readonly provider?: string; readonly arguments: Arguments },
): { readonly wanted: string | undefined; readonly args: Arguments } {
  const { [PROVIDER_ARGUMENT]: given, ...args } = request.arguments
  if (given === undefined || !takesProviderArgument(tool)) return { wanted: request.provider, args: request.arguments }
  if (typeof given !== 'string')
    throw refused(tool, `takes the name of a provider as \`${PROVIDER_ARGUMENT}\`: ${listOf(tool)}`)
  if (request.provider !== undefined && request.provider !== given)
    throw refused(tool, `is given two providers, ${shown(request.provider)} and ${shown(given)}; leave one out`)
  return { wanted: given, args }
}

function usual(tool: CatalogTool, rules: ProviderRules): string {
  const { providers } = tool.entry
  if (rules.default !== undefined && providers.includes(rules.default)) return rules.default
  const [only, ...more] = providers
  if (only !== undefined && more.length === 0) return only
  throw refused(tool, `needs a provider: one of ${listOf(tool)}`)
}

function named(tool: CatalogTool, wanted: string, rules: ProviderRules, onAbsent: (provider: string) => void): string {
  const { providers } = tool.entry
  if (providers.length === 0) throw refused(tool, 'takes no provider; leave it out')
  const name = wanted.toLowerCase()
  const provider = rules.aliases.get(name) ?? name
  if (providers.includes(provider)) return provider
  onAbsent(provider)
  throw refused(tool, `has no provider ${shown(wanted)}; choose one of ${listOf(tool)}`)
}

function listOf({ entry }: CatalogTool): string {
  return entry.providers.join(', ')
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 40))
}

function refused({ entry }: CatalogTool, what: string): CallboardError {
  return new CallboardError('invalid_arguments', `${JSON.stringify(entry.name)} ${what}`)
}
