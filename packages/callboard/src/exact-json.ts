/**
 * JSON whose numbers stay as they were written. Read as doubles and written anew, `12345678901234567890` and
 * `0.1234567890123456789` lose digits, `1e400` becomes `null`, `1.0` becomes `1` and `-0` becomes `0`.
 */
import { mayLoseDigits } from './may-lose-digits.ts'

/** A number that a double would write otherwise, as its text, which `JSON.stringify` writes (`JSON.rawJSON`). */
interface WrittenNumber {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    rawJSON(text: string): WrittenNumber
    isRawJSON(value: unknown): value is WrittenNumber
  }
}

export interface ReadJson {
  /** With doubles, as `JSON.parse` has it; in place of an infinite number the largest that there is. */
  readonly value: unknown
  /** With a written number wherever a double would write another text; the same as `value` where that is nowhere. */
  readonly written: unknown
}

/**
 * The JSON of an object or a list, both with doubles and as it was written. Throws SyntaxError for what is no JSON.
 * What is nested so deeply that it runs out of stack has doubles alone.
 */
export function readJson(text: string): ReadJson {
  if (!mayLoseDigits(text)) return inDoubles(text)
  try {
    let isSame = true
    const written: unknown = JSON.parse(text, (_key: string, value: unknown, context?: Source): unknown => {
      const number = asWritten(value, context)
      isSame &&= number === value
      return number
    })
    return { value: isSame ? written : JSON.parse(text, finite), written }
  } catch (error) {
    if (error instanceof RangeError) return inDoubles(text)
    throw error
  }
}

/**
 * The value of a JSON text, with a written number wherever a double would write another text. Throws SyntaxError for
 * what is no JSON, RangeError where it is nested too deeply.
 */
export function parseWritten(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: Source): unknown => asWritten(value, context))
}

/** Whether it is a written number, which looks like an object and is none to whoever does not know. */
export function isWritten(value: unknown): value is WrittenNumber {
  return JSON.isRawJSON(value)
}

/**
 * Whether a double is the number that the text writes, as far as any reader of JSON goes: digits behind the point may
 * get lost, those before it may not, and it is finite.
 */
export function isSameInDoubles(text: string): boolean {
  const value = Number(text)
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true
  // What is sent is the number written out again, so its digits decide: 1e300 stays what it is.
  return Number.isFinite(value) && hasDigits(value, text)
}

/** What a reviver is told of a number besides its value. */
interface Source {
  readonly source?: string
}

function asWritten(value: unknown, context: Source | undefined): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value
}

/**
 * The number of a JSON text: a double where that is the very number, in whatever digits, else a written one. Throws
 * SyntaxError for what is no number in JSON.
 */
export function exactNumber(text: string): unknown {
  const value = Number(text)
  const isSame = !Object.is(value, -0) && Number.isFinite(value) && hasDigits(value, text)
  return isSame ? value : JSON.rawJSON(text)
}

function hasDigits(value: number, text: string): boolean {
  return significantDigits(String(value)) === significantDigits(text)
}

function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e')
  return mantissa.replace(/\D/g, '').replace(/^0+|0+$/g, '')
}

function inDoubles(text: string): ReadJson {
  const value: unknown = JSON.parse(text)
  return { value, written: value }
}

function finite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? Math.sign(value) * Number.MAX_VALUE : value
}
