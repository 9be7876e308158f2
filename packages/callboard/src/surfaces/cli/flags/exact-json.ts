/** Reads JSON whose numbers are passed on as they were written, or not at all. */
import { CallboardError } from '../../../errors.ts'

/** Longer texts are cut in messages. */
const QUOTED_LENGTH = 60

/** A text as messages show it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH).toWellFormed()}…` : text)
}

/**
 * The number that a decimal text writes.
 * @throws CallboardError `invalid_arguments` when it is beyond 2^53 and would become another number, or infinite
 */
export function exactNumber(text: string, label: string): number {
  const value = Number(text)
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  // What is sent is the number written out again, so its digits decide: 1e300 stays what it is.
  if (Number.isFinite(value) && significantDigits(String(value)) === significantDigits(text)) return value
  throw new CallboardError('invalid_arguments', `${label}: ${quoted(text)} is too large to be passed on exactly`)
}

function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e')
  return mantissa.replace(/\D/g, '').replace(/^0+|0+$/g, '')
}

/**
 * The value of a JSON text. `label` says where it stands, for messages.
 * @throws SyntaxError when it is no JSON, CallboardError `invalid_arguments` as {@link exactNumber}
 */
export function parseExactJson(text: string, label: string): unknown {
  return JSON.parse(text, (key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    if (typeof value === 'number')
      exactNumber(context?.source ?? String(value), key === '' ? label : `${label}, ${quoted(key)}`)
    return value
  })
}
