/** The error for the id of a plugin that there is not. */
import { closestName } from '../closest-name.ts'
import { CallboardError } from '../errors.ts'
import { thereAre } from '../there-are.ts'

/** With the id that may have been meant, else with all. */
export function noSuchPlugin(id: string, ids: Iterable<string>): CallboardError {
  const known = [...ids].sort()
  const near = closestName(id, known)
  const guess = near === undefined ? thereAre(known) : `did you mean "${near}"?`
  return new CallboardError('usage', `no plugin "${id}"; ${guess}`)
}
