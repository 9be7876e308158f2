/** Where a plugin threw what it threw, which may refuse every look. */
import { textOfThrown } from '@callboard/sdk/host'

/** The stack of an error, shortened where it is long; undefined where that is not said. Never throws. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error && typeof thrown.stack === 'string' ? textOfThrown(thrown.stack) : undefined
  } catch {
    return undefined
  }
}
