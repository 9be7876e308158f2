/** The text of whatever was thrown. */
import { inspect } from 'node:util'

/** A longer one tells nobody more. */
const MAX_LENGTH = 2_000
/** Longer than secrets are. */
const MAX_WORD = 1_000

/** The message of an error, else the thing itself as text; never throws, whatever it is given. */
export function textOfThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? String(thrown.message) || thrown.name : shown(thrown)
    return text.length > MAX_LENGTH ? `${cut(text)}…` : text
  } catch {
    return 'something that has no text'
  }
}

/**
 * Without the word that the cut would go through, since nothing would know the half of a secret; at most so much of one
 * is left out.
 */
function cut(text: string): string {
  const space = text.slice(0, MAX_LENGTH).search(/\S*$/)
  return text.slice(0, Math.max(space, MAX_LENGTH - MAX_WORD))
}

function shown(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY })
}
