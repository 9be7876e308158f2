/** Which model provider serves a call. */
import type { CatalogEntry } from '@callboard/sdk'
import { CallboardError } from '../errors.ts'

/**
 * The provider that the caller named, in any case, else the only one there is; undefined for a tool that needs none.
 * Throws `invalid_arguments` when that is not settled by it.
 */
export function chooseProvider(entry: CatalogEntry, wanted: string | undefined): string | undefined {
  const { name, providers } = entry
  const tool = JSON.stringify(name)
  if (providers.length === 0) {
    if (wanted === undefined) return undefined
    throw new CallboardError('invalid_arguments', `${tool} takes no provider; leave it out`)
  }
  const list = providers.join(', ')
  if (wanted === undefined) {
    if (providers.length === 1) return providers[0]
    throw new CallboardError('invalid_arguments', `${tool} needs a provider: one of ${list}`)
  }
  const found = providers.find((provider) => provider.toLowerCase() === wanted.toLowerCase())
  if (found !== undefined) return found
  const given = JSON.stringify(wanted.slice(0, 40))
  throw new CallboardError('invalid_arguments', `${tool} has no provider ${given}; choose one of ${list}`)
}
