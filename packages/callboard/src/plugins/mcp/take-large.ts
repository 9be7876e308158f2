/** Decides what becomes of a large message before anybody reads it whole, which would take a turn as long as it is large. */
import { firstBytes, lastBytes } from '../process/edges.ts'
import { findAnswer, type LargeAnswer } from './large-answer.ts'
import { INTERNAL_ERROR } from './messages.ts'

/** Only results have a reason to be larger. */
const MAX_OTHER_BYTES = 1024 * 1024

/** A message that was taken, or left out. */
export interface TakenLarge {
  /** The small message in JSON that may stand in its place; undefined where it answers nobody. */
  readonly instead: string | undefined
  /** Why it was left out; undefined where it was taken. */
  readonly reason: string | undefined
  /** Both its ends, where these alone may tell whose it is. */
  readonly edges?: string
}

/**
 * Works through the pieces of a message, a little at a time. An answer goes to `onLargeAnswer`, which says whether it takes it.
 * What is no result is left out beyond 1 MiB: an error, a notification, a request, several messages in one, and what is no JSON or
 * nested too deeply to be passed on. Returns undefined for what has to be read whole.
 */
export function* takeLarge(
  parts: readonly Buffer[],
  onLargeAnswer: (answer: LargeAnswer) => boolean,
): Generator<undefined, TakenLarge | undefined> {
  const found = yield* findAnswer(parts)
  const reason = found?.kind === 'result' ? undefined : whyLeftOut(parts)
  if (reason === undefined) {
    const isTaken = (found?.kind === 'result' || found?.kind === 'failure') && onLargeAnswer(found)
    return isTaken ? { instead: answer(found.id, { result: {} }), reason } : undefined
  }
  if (found === undefined) return { instead: undefined, reason, edges: `${firstBytes(parts)}${lastBytes(parts)}` }
  const error = { code: INTERNAL_ERROR, message: reason }
  return { instead: found.kind === 'unasked' ? undefined : answer(found.id, { error }), reason }
}

/** The words for what is no result, where it is too large for that. */
export function whyLeftOut(parts: readonly Buffer[]): string | undefined {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  if (bytes <= MAX_OTHER_BYTES) return undefined
  return `the server sent a message of ${bytes} bytes, which is more than the ${MAX_OTHER_BYTES} that are read of what is no result`
}

function answer(id: unknown, outcome: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
}
