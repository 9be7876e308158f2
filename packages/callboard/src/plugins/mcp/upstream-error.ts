/** A server's own JSON-RPC error, as surfaces pass it on. */
import { UpstreamError } from '../../errors.ts'
import { readJson } from '../../exact-json.ts'
import { isObject } from '../../is-object.ts'
import type { JsonBytes } from '../encoded-result.ts'
import { isTooDeep } from './is-too-deep.ts'
import type { JsonObject } from './messages.ts'

/** Far beyond what data are for, and far below where writing them as JSON runs out of stack. */
const MAX_LEVELS = 1_000

/**
 * As it is, but for data that could not be written; servers that leave the code or the message out get the usual ones.
 */
export function upstreamError({ code, message, data }: JsonObject, writtenData: unknown = data): UpstreamError {
  const text = typeof message === 'string' ? message : 'the server gave no reason'
  const rpcCode = typeof code === 'number' ? code : -32603
  if (!isTooDeep(data, MAX_LEVELS)) return new UpstreamError(rpcCode, text, data, writtenData)
  return new UpstreamError(rpcCode, text, `left out: it is nested deeper than ${MAX_LEVELS} levels`)
}

/** The error that is there in bytes, with the numbers of its data as they were written; undefined for an odd one. */
export function largeError(bytes: JsonBytes | undefined): UpstreamError | undefined {
  if (bytes === undefined) return undefined
  const { value: error, written } = readJson(Buffer.concat(bytes).toString())
  if (!isObject(error) || !Number.isSafeInteger(error.code) || typeof error.message !== 'string') return undefined
  return upstreamError(error, isObject(written) ? written.data : undefined)
}
