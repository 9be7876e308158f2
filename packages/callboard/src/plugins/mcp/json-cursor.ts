/** Goes through a JSON text that lies in pieces, token by token, and builds nothing of it. */
import { isUtf8 } from 'node:buffer'

/** What the text has here is no JSON in UTF-8. */
export class NotJson extends Error {}

const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))
const HEX: ReadonlySet<number> = new Set(Buffer.from('0123456789abcdefABCDEF'))
const UNICODE = 0x75
/** So many digits no number has that means something; in pieces of any size it is found out early. */
const MAX_WORD = 64 * 1024
/** By byte: of words, 1 for a digit and 2 for whatever else stands in one. */
const IN_WORDS = new Uint8Array(256)
for (const byte of Buffer.from('+-.eEtruefalsn')) IN_WORDS[byte] = 2
for (const byte of Buffer.from('0123456789')) IN_WORDS[byte] = 1
const ZERO = 0x30
/** By byte: of strings, 1 for what does not simply stand in one. */
const ENDS_RUN = new Uint8Array(256).fill(1, 0, SPACE)
ENDS_RUN[QUOTE] = 1
ENDS_RUN[BACKSLASH] = 1

export class JsonCursor {
  readonly #parts: readonly Buffer[]
  #next = 0
  #bytes: Buffer = Buffer.alloc(0)
  #index = 0
  /** How much lies before the present piece. */
  #before = 0
  /** The beginning of a character that goes on in the next piece. */
  #begun: Buffer = Buffer.alloc(0)

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
  }

  /** How many bytes lie before the next one. */
  get place(): number {
    return this.#before + this.#index
  }

  /** The next byte, which stays the next one; undefined at the end. */
  peek(): number | undefined {
    while (this.#index >= this.#bytes.length) if (!this.#enter()) return undefined
    return this.#bytes[this.#index]
  }

  /** Takes the next byte. */
  take(): number {
    const byte = this.peek()
    if (byte === undefined) throw new NotJson('the text ends too early')
    this.#index += 1
    return byte
  }

  /**
   * The next byte that is no white space, as `peek` has it. Line ends become spaces, so that the text is one line
   * afterwards.
   */
  afterSpace(): number | undefined {
    for (let byte = this.peek(); ; byte = this.peek()) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#bytes[this.#index] = SPACE
      else if (byte !== SPACE && byte !== TAB) return byte
      this.#index += 1
    }
  }

  /**
   * Goes on within a string, behind its opening quote, at most to the end of the piece; true when its end is behind.
   */
  string(): boolean {
    if (this.peek() === undefined) throw new NotJson('a string has no end')
    const bytes = this.#bytes
    let index = this.#index
    while (index < bytes.length && ENDS_RUN[bytes[index] ?? 0] === 0) index++
    this.#index = index
    if (index === bytes.length) return false
    const byte = this.take()
    if (byte === QUOTE) return true
    if (byte !== BACKSLASH) throw new NotJson('a string has a control character')
    this.#escape()
    return false
  }

  /** Takes a number, `true`, `false` or `null`. */
  word(): void {
    let word = ''
    for (let byte = this.peek(); byte !== undefined && IN_WORDS[byte] !== 0; byte = this.peek()) {
      const from = this.#index
      const kinds = this.#skipWord()
      // Nearly every number is nothing but digits, of which only the first may make it none.
      if (kinds === 1 && byte !== ZERO && word === '' && this.#index < this.#bytes.length) return
      word += this.#bytes.toString('latin1', from, this.#index)
      if (word.length > MAX_WORD) throw new NotJson('a number is too long')
    }
    if (!WORD.test(word)) throw new NotJson('a value is none of JSON')
  }

  /** Goes on to the end of the word or of the piece; what kinds of bytes stood there, as of a set of bits. */
  #skipWord(): number {
    const bytes = this.#bytes
    let kinds = 0
    let index = this.#index
    for (let kind = IN_WORDS[bytes[index] ?? 0] ?? 0; kind !== 0; kind = IN_WORDS[bytes[++index] ?? 0] ?? 0)
      kinds |= kind
    this.#index = index
    return kinds
  }

  #escape(): void {
    const byte = this.take()
    if (ESCAPED.has(byte)) return
    if (byte !== UNICODE) throw new NotJson('a string has an unknown escape')
    for (let digit = 0; digit < 4; digit++)
      if (!HEX.has(this.take())) throw new NotJson('a string has an escape that is not whole')
  }

  /** Goes to the next piece; false when there is none. */
  #enter(): boolean {
    const part = this.#parts[this.#next]
    if (part === undefined) {
      if (this.#begun.length > 0) throw new NotJson('the last character is not whole')
      return false
    }
    const text = this.#begun.length > 0 ? Buffer.concat([this.#begun, part]) : part
    const whole = text.length - lengthOfBegun(text)
    if (!isUtf8(text.subarray(0, whole))) throw new NotJson('the text is not UTF-8')
    this.#begun = text.subarray(whole)
    this.#next += 1
    this.#before += this.#bytes.length
    this.#bytes = part
    this.#index = 0
    return true
  }
}

/** How many bytes at the end are the beginning of a character in UTF-8 that is not whole. */
function lengthOfBegun(text: Buffer): number {
  for (let length = 1; length <= 3; length++) {
    const byte = text.at(-length) ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
  }
  return 0
}
