/** The error for the id of a plugin that there is not. */
import { CallboardError } from '../errors.ts'
import { nearestOrAll } from '../nearest-or-all.ts'

/** With the id that may have been meant, else with all. */
export function noSuchPlugin(id: string, ids: Iterable<string>): CallboardError {
  return new CallboardError('usage', `no plugin "${id}"; ${nearestOrAll(id, [...ids].sort())}`)
}
