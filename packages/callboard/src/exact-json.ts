/**
 * JSON whose numbers stay as they were written. Read as doubles and written anew, `12345678901234567890` and
 * `0.1234567890123456789` lose digits, `1e400` becomes `null`, `1.0` becomes `1` and `-0` becomes `0`.
 */
import { randomBytes } from 'node:crypto'
import { mayLoseDigits, nextDoubtful } from './may-lose-digits.ts'

/** Stands before the digits of a number while a text is in its place, and is in no other text: nobody knows it. */
const MARK = randomBytes(9).toString('base64')
/** The characters of a number, from `lastIndex` on. */
const NUMBER = /[-+.\deE]+/y

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
  const value: unknown = JSON.parse(text)
  if (!mayLoseDigits(text)) return { value, written: value }
  try {
    const { written, isSame } = withNumbers(text)
    if (!isSame) changeLeaves(value, finite)
    return { value, written: isSame ? value : written }
  } catch (error) {
    if (error instanceof RangeError) return { value, written: value }
    throw error
  }
}

/**
 * The value of a JSON text, with a written number wherever a double would write another text. Throws SyntaxError for
 * what is no JSON, RangeError where it is nested too deeply.
 */
export function parseWritten(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return mayLoseDigits(text) ? withNumbers(text).written : value
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

/**
 * The value of a valid JSON text with its written numbers, and whether there are none. Texts take their place until it
 * is parsed: a reviver, which could be told of the characters, takes a hundred times as long as parsing itself.
 */
function withNumbers(text: string): { readonly written: unknown; readonly isSame: boolean } {
  let isSame = true
  const written = changeLeaves(JSON.parse(marked(text)), (leaf) => {
    if (typeof leaf !== 'string' || !leaf.startsWith(MARK)) return leaf
    const source = leaf.slice(MARK.length)
    const value = Number(source)
    if (String(value) === source) return value
    isSame = false
    return JSON.rawJSON(source)
  })
  return { written, isSame }
}

function marked(text: string): string {
  const pieces: string[] = []
  let from = 0
  for (let at = nextDoubtful(text, from); at !== undefined; at = nextDoubtful(text, from)) {
    NUMBER.lastIndex = at
    NUMBER.test(text)
    pieces.push(`${text.slice(from, at)}"${MARK}${text.slice(at, NUMBER.lastIndex)}"`)
    from = NUMBER.lastIndex
  }
  return `${pieces.join('')}${text.slice(from)}`
}

/** The value, changed in place, with what `change` makes of everything in it that is no list and no object. */
function changeLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return change(value)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = changeLeaves(value[at], change)
    return value
  }
  for (const [name, part] of Object.entries(value)) {
    const changed = changeLeaves(part, change)
    // Not by `=`: a key may be `__proto__`.
    if (changed !== part)
      Object.defineProperty(value, name, { value: changed, writable: true, enumerable: true, configurable: true })
  }
  return value
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
  const digits = mantissa.replace(/\D/g, '')
  // No pattern for the zeros at the end: it would begin anew at each zero before them.
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end).replace(/^0+/, '')
}

function finite(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? Math.sign(value) * Number.MAX_VALUE : value
}
