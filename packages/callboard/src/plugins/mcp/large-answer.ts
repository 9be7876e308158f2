/** Finds in a large message, without building what it holds, what it is: of an answer its id, and the fields of its result as bytes. */
import type { EncodedFields, JsonBytes } from '../encoded-result.ts'
import { JsonCursor, NotJson } from './json-cursor.ts'

/** From so many bytes on a message is worth the trouble: reading and writing it whole takes a few milliseconds. */
export const LARGE_BYTES: number = 256 * 1024

/** What is nested deeper can't be written as JSON by everybody, and is left to whoever reads it whole. */
const MAX_DEPTH = 1_000
/** Each is cut out of all the pieces. */
const MAX_FIELDS = 100
/** Of a key that is looked at, or an id. */
const MAX_NAME_BYTES = 1_000
const SLICE_BYTES = 64 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** An answer whose outcome is there in bytes. */
export type LargeAnswer = LargeResult | LargeFailure

/** An answer that is a result. */
export interface LargeResult {
  readonly kind: 'result'
  readonly id: unknown
  readonly fields: EncodedFields
}

/** An answer that is an error, or a result that is no object. */
interface LargeFailure {
  readonly kind: 'failure'
  readonly id: unknown
  /** Absent where it says a result besides, or alone. */
  readonly error: JsonBytes | undefined
}

/** A notification, or a request of the server. It is known by its first keys, mostly, and what follows may be anything. */
interface LargeUnasked {
  readonly kind: 'unasked'
}

/**
 * Works through the pieces of a message, a little at a time; returns undefined for whatever is no message in valid JSON,
 * or several. Line ends between its tokens become spaces in place.
 */
export function* findAnswer(parts: readonly Buffer[]): Generator<undefined, LargeAnswer | LargeUnasked | undefined> {
  const scan = new AnswerScan(parts)
  try {
    for (let end = SLICE_BYTES; scan.step(); ) {
      if (scan.place < end) continue
      yield
      end = scan.place + SLICE_BYTES
    }
    return scan.answer
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

/** The first and the last byte of a value, the last one not included. */
interface Range {
  readonly from: number
  readonly to: number
}

/** What may come next. `firstKey` and `firstValue` stand right behind an opening, where the closing may come at once. */
type Expected = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'comma'

/** The message is level 0, its result level 1; the fields of both are looked at. */
class AnswerScan {
  readonly #parts: readonly Buffer[]
  readonly #text: JsonCursor
  readonly #message = new Map<string, Range>()
  #result: Map<string, Range> | undefined
  /** The key of the field that is read, and where its value begins, on either level. */
  readonly #keys = ['', '']
  readonly #from = [0, 0]
  /** Whether what is open here is an object, the outermost first. */
  readonly #open: boolean[] = []
  #expected: Expected = 'value'
  #string: 'key' | 'value' | undefined
  #isUnasked = false
  #keyFrom = 0

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
    this.#text = new JsonCursor(parts)
  }

  get place(): number {
    return this.#text.place
  }

  /** What the message is, after the last step; undefined when it is none. */
  get answer(): LargeAnswer | LargeUnasked | undefined {
    if (this.#isUnasked) return { kind: 'unasked' }
    const id = this.#message.get('id')
    const error = this.#message.get('error')
    if (id === undefined || !(this.#message.has('result') || error !== undefined)) return undefined
    if (this.#result === undefined) {
      const bytes = error && !this.#message.has('result') ? bytesIn(this.#parts, error) : undefined
      return { kind: 'failure', id: this.#nameIn(id), error: bytes }
    }
    const fields = Array.from(this.#result, ([key, range]) => [key, bytesIn(this.#parts, range)] as const)
    return { kind: 'result', id: this.#nameIn(id), fields: new Map(fields) }
  }

  /** Takes one token, or a part of a long one. False when nothing is left to find. */
  step(): boolean {
    if (this.#string !== undefined) {
      if (this.#text.string()) this.#endString(this.#string)
      return !this.#isUnasked
    }
    const byte = this.#text.afterSpace()
    switch (this.#expected) {
      case 'comma':
        return this.#afterValue(byte)
      case 'colon':
        this.#colon(byte)
        return true
      case 'firstKey':
      case 'key':
        this.#key(byte)
        return true
      case 'firstValue':
      case 'value':
        this.#value(byte)
        return true
    }
  }

  #colon(byte: number | undefined): void {
    if (byte !== COLON) throw new NotJson('a key has no colon behind it')
    this.#text.take()
    this.#expected = 'value'
  }

  #key(byte: number | undefined): void {
    if (byte === CLOSE_OBJECT && this.#expected === 'firstKey') this.#close()
    else if (byte !== QUOTE) throw new NotJson('an object has something else than a key')
    else {
      this.#keyFrom = this.place
      this.#text.take()
      this.#string = 'key'
    }
  }

  #value(byte: number | undefined): void {
    if (byte === CLOSE_ARRAY && this.#expected === 'firstValue') {
      this.#close()
      return
    }
    if (this.#fields !== undefined) this.#from[this.#level] = this.place
    if (byte === QUOTE) {
      this.#text.take()
      this.#string = 'value'
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#openValue(byte === OPEN_OBJECT)
    else {
      this.#text.word()
      this.#endValue()
    }
  }

  #openValue(isObject: boolean): void {
    // A batch is for others.
    if (this.#open.length === MAX_DEPTH || (this.#open.length === 0 && !isObject)) throw new NotJson('no answer')
    if (this.#open.length === 1 && this.#keys[0] === 'result') this.#result = isObject ? new Map() : undefined
    this.#text.take()
    this.#open.push(isObject)
    this.#expected = isObject ? 'firstKey' : 'firstValue'
  }

  #afterValue(byte: number | undefined): boolean {
    if (this.#open.length === 0 && byte === undefined) return false
    const isObject = this.#open.at(-1)
    if (isObject !== undefined && byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#close()
    else if (isObject !== undefined && byte === COMMA) {
      this.#text.take()
      this.#expected = isObject ? 'key' : 'value'
    } else throw new NotJson('a value has something odd behind it')
    return true
  }

  #close(): void {
    this.#text.take()
    this.#open.pop()
    this.#endValue()
  }

  #endString(what: 'key' | 'value'): void {
    this.#string = undefined
    if (what === 'value') this.#endValue()
    else this.#endKey()
  }

  #endKey(): void {
    this.#expected = 'colon'
    if (this.#fields === undefined) return
    const key = String(this.#nameIn({ from: this.#keyFrom, to: this.place }))
    if (this.#level === 0 && key === 'method') this.#isUnasked = true
    this.#keys[this.#level] = key
  }

  #endValue(): void {
    this.#expected = 'comma'
    const fields = this.#fields
    if (fields === undefined) return
    if (fields.size === MAX_FIELDS) throw new NotJson('too many fields')
    fields.set(this.#keys[this.#level] ?? '', { from: this.#from[this.#level] ?? 0, to: this.place })
  }

  get #level(): number {
    return this.#open.length - 1
  }

  /** Those of the object around this place, if they are looked at. */
  get #fields(): Map<string, Range> | undefined {
    switch (this.#level) {
      case 0:
        return this.#message
      case 1:
        return this.#keys[0] === 'result' ? this.#result : undefined
      default:
        return undefined
    }
  }

  #nameIn(range: Range): unknown {
    if (range.to - range.from > MAX_NAME_BYTES) throw new NotJson('a key or the id is too long')
    return JSON.parse(Buffer.concat(bytesIn(this.#parts, range)).toString())
  }
}

/** The bytes of a range, not copied. */
function bytesIn(parts: readonly Buffer[], { from, to }: Range): JsonBytes {
  const found: Buffer[] = []
  let before = 0
  for (const part of parts) {
    const piece = part.subarray(Math.max(from - before, 0), Math.max(to - before, 0))
    if (piece.length > 0) found.push(piece)
    before += part.length
    if (before >= to) break
  }
  return found
}
