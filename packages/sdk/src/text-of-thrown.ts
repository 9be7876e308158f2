/** The text of whatever was thrown. */
import { inspect } from 'node:util'

/** A longer one tells nobody more. */
const MAX_LENGTH = 2_000

/** The message of an error, else the thing itself as text; never throws, whatever it is given. */
export function textOfThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? String(thrown.message) || thrown.name : shown(thrown)
    return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
  } catch {
    return 'something that has no text'
  }
}

function shown(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY })
}
