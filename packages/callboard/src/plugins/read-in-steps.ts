/** Reads JSON that lies in bytes a little at a time, where `JSON.parse` would keep everybody waiting for the whole. */
import type { JsonBytes } from './encoded-result.ts'

/** What is handed to `JSON.parse` in one go, at most: less than a millisecond of work. */
const STEP_BYTES = 64 * 1024

/** Of an escape in a text. */
const UNICODE_LENGTH = 6
const SHORT_LENGTH = 2
/** The bits of a byte in UTF-8 that goes on with a character, and the least of one that begins one of several bytes. */
const CONTINUES_MASK = 0xc0
const CONTINUES = 0x80
const FIRST_OF_SEVERAL = 0xc0

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const UNICODE = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** By byte: 1 for what ends a number, `true`, `false` or `null`. */
const ENDS_WORD = new Uint8Array(256)
for (const byte of Buffer.from(',]} \t\r\n')) ENDS_WORD[byte] = 1
/** By byte: 1 for what matters on the way to the end of a member. */
const MATTERS = new Uint8Array(256)
for (const byte of Buffer.from('",[]{}')) MATTERS[byte] = 1

/**
 * The value that `JSON.parse` would make of the whole text, which must be valid JSON in UTF-8: nothing is checked. Works
 * for about a millisecond at a time. A text longer than a step is joined when it is first looked into.
 * @param stepBytes how much is worked on in one go; at least 8
 */
export function* readInSteps(parts: JsonBytes, stepBytes: number = STEP_BYTES): Generator<undefined, unknown> {
  return yield* new StepReader(parts, stepBytes).value()
}

class StepReader {
  readonly #parts: JsonBytes
  readonly #stepBytes: number
  /** The piece that is read, and how much of it is behind. */
  #part = 0
  #index = 0

  constructor(parts: JsonBytes, stepBytes: number) {
    this.#parts = parts
    this.#stepBytes = stepBytes
  }

  /** Values that end within a step are read in one go; of others the members, as many as fit at a time. */
  *value(): Generator<undefined, unknown> {
    const first = this.#afterSpace()
    const window = this.#window()
    const end = first === QUOTE ? endOfText(window, 1) : endOfMembers(window, 'first')
    if (end > 0) return JSON.parse(this.#take(window, end))
    yield
    switch (first) {
      case QUOTE:
        return yield* this.#text()
      case OPEN_ARRAY:
        return yield* this.#list()
      case OPEN_OBJECT:
        return yield* this.#object()
      default:
        return yield* this.#word()
    }
  }

  *#list(): Generator<undefined, unknown[]> {
    const list: unknown[] = []
    this.#skip(1)
    while (this.#afterSpace() !== CLOSE_ARRAY) {
      const window = this.#window()
      const end = endOfMembers(window, 'last')
      if (end === 0) list.push(yield* this.value())
      else for (const item of JSON.parse(`[${this.#take(window, end)}]`)) list.push(item)
      if (this.#afterSpace() === COMMA) this.#skip(1)
      yield
    }
    this.#skip(1)
    return list
  }

  *#object(): Generator<undefined, object> {
    const object: Record<string, unknown> = {}
    this.#skip(1)
    while (this.#afterSpace() !== CLOSE_OBJECT) {
      const window = this.#window()
      const end = endOfMembers(window, 'last')
      if (end === 0) {
        const key = String(yield* this.value())
        this.#afterSpace()
        this.#skip(1)
        setMember(object, key, yield* this.value())
      } else {
        const members: Record<string, unknown> = JSON.parse(`{${this.#take(window, end)}}`)
        for (const key of Object.keys(members)) setMember(object, key, members[key])
      }
      if (this.#afterSpace() === COMMA) this.#skip(1)
      yield
    }
    this.#skip(1)
    return object
  }

  *#text(): Generator<undefined, string> {
    this.#skip(1)
    for (let text = ''; ; ) {
      const window = this.#window()
      const { end, hasEscapes } = pieceOfText(window)
      const piece = this.#take(window, end)
      text += hasEscapes ? String(JSON.parse(`"${piece}"`)) : piece
      if (window[end] === QUOTE) {
        this.#skip(1)
        return text
      }
      yield
    }
  }

  /** A number that is longer than a step. */
  *#word(): Generator<undefined, unknown> {
    for (let word = ''; ; ) {
      const window = this.#window()
      const end = endOfWord(window)
      word += this.#take(window, end)
      if (end < window.length || window.length === 0) return JSON.parse(word)
      yield
    }
  }

  /** The text at the beginning of the window, which is behind then. */
  #take(window: Buffer, end: number): string {
    this.#skip(end)
    return window.toString('utf8', 0, end)
  }

  /** The next bytes, as many as one step takes. */
  #window(): Buffer {
    const first = this.#parts[this.#part]
    if (first === undefined) return Buffer.alloc(0)
    const bytes = first.subarray(this.#index, this.#index + this.#stepBytes)
    const isEnough = bytes.length === this.#stepBytes || this.#part + 1 === this.#parts.length
    if (isEnough) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const pieces = [bytes]
    for (let part = this.#part + 1, length = bytes.length; length < this.#stepBytes; part++) {
      const piece = this.#parts[part]?.subarray(0, this.#stepBytes - length)
      if (piece === undefined) break
      pieces.push(piece)
      length += piece.length
    }
    return Buffer.concat(pieces)
  }

  #skip(bytes: number): void {
    this.#index += bytes
    for (let part = this.#parts[this.#part]; part !== undefined; part = this.#parts[this.#part]) {
      if (this.#index < part.length) return
      this.#index -= part.length
      this.#part += 1
    }
  }

  /** The next byte that is no white space, which stays the next one. */
  #afterSpace(): number | undefined {
    for (;;) {
      const byte = this.#parts[this.#part]?.[this.#index]
      if (byte === undefined || byte > 0x20) return byte
      this.#skip(1)
    }
  }
}

/** As `JSON.parse` has it: a key `__proto__` is a member like any other. */
function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Where the last member of a list or an object ends of those that are whole in the window, or the first one; 0 where
 * none is. A value is whole when what comes behind it is there.
 */
function endOfMembers(window: Buffer, which: 'first' | 'last'): number {
  let end = 0
  for (let at = 0, depth = 0; at < window.length; at++) {
    const byte = window[at] ?? 0
    if (MATTERS[byte] === 0) continue
    if (byte === QUOTE) {
      const behind = endOfText(window, at + 1)
      if (behind === 0) return end
      at = behind - 1
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1
    else if (depth === 0) {
      end = at
      if (byte !== COMMA || which === 'first') return end
    } else if (byte !== COMMA) depth -= 1
  }
  return end
}

/** Behind the closing quote of the text that goes on there; 0 where that is behind the window. */
function endOfText(window: Buffer, from: number): number {
  for (let at = from; at < window.length; at++) {
    const byte = window[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at += 1
  }
  return 0
}

/** How much of a text may be taken by itself: up to its end, but no part of a character or of an escape. */
function pieceOfText(window: Buffer): { readonly end: number; readonly hasEscapes: boolean } {
  let hasEscapes = false
  for (let at = 0; at < window.length; at++) {
    const byte = window[at]
    if (byte === QUOTE) return { end: at, hasEscapes }
    if (byte !== BACKSLASH) continue
    const length = window[at + 1] === UNICODE ? UNICODE_LENGTH : SHORT_LENGTH
    if (at + length > window.length) return { end: at, hasEscapes }
    hasEscapes = true
    at += length - 1
  }
  let end = window.length
  // The last character, if it has several bytes, is left for the next piece: it may not be whole.
  while (((window[end - 1] ?? 0) & CONTINUES_MASK) === CONTINUES) end -= 1
  return { end: (window[end - 1] ?? 0) >= FIRST_OF_SEVERAL ? end - 1 : end, hasEscapes }
}

function endOfWord(window: Buffer): number {
  let end = 0
  while (end < window.length && ENDS_WORD[window[end] ?? 0] === 0) end++
  return end
}
