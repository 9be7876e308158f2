/** A server's own JSON-RPC error, as surfaces pass it on. */
import { UpstreamError } from '../../errors.ts'
import { isTooDeep } from './is-too-deep.ts'
import type { JsonObject } from './messages.ts'

/** Far beyond what data are for, and far below where writing them as JSON runs out of stack. */
const MAX_LEVELS = 1_000

/**
 * As it is, but for data that could not be written; servers that leave the code or the message out get the usual ones.
 */
export function upstreamError({ code, message, data }: JsonObject): UpstreamError {
  const text = typeof message === 'string' ? message : 'the server gave no reason'
  const shown = isTooDeep(data, MAX_LEVELS) ? `left out: it is nested deeper than ${MAX_LEVELS} levels` : data
  return new UpstreamError(typeof code === 'number' ? code : -32603, text, shown)
}
