/** The secrets that the host knows, and their replacement in any text that leaves for a log, an error or a screen. */

import { CONTROL, printable } from './printable.ts'
import { MOST_TOKEN_CHARACTERS, TOKEN_IN_TEXT, TOKEN_LENGTH, TOKEN_TAIL } from './token-shape.ts'

/** Shorter values would blot out ordinary words. */
const MIN_LENGTH = 4
const REPLACEMENT = '[secret]'
/** Longer values are no ordinary words in small letters either; the name of a host comes in these. */
const MIN_LOWER_CASE = 8
/** Fewer characters of base64 stand in other texts by chance. */
const MIN_INNER = 6
/** A text in a JSON text in a message in a line of the log. */
const MAX_JSON_DEPTH = 3

/** How many times as long a secret may be with what is not seen in it. */
const MOST_STRETCHED = 16
/** Control characters but line feed and tab, as JSON writes them, also in JSON in JSON. */
const ESCAPED = /\\+(?:u(00(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|202[a-e]|206[6-9])|([bfr]))/gi
const IS_ESCAPED = new RegExp(ESCAPED.source, 'i')
const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r' }

/** Which ends of a text were cut off, so that a part of a secret may stand there. */
export interface CutEnds {
  readonly start?: boolean
  readonly end?: boolean
}

/**
 * A growing set of secret values; `redact` replaces each of them wherever it stands, and whatever looks like a token of
 * a host.
 */
export class Secrets {
  readonly #values = new Set<string>()
  #pattern: RegExp | undefined
  #longest = MOST_TOKEN_CHARACTERS

  /**
   * Remembers a value and the forms in which it travels: JSON in JSON, URL-encoded, in small letters, base64 by itself
   * and as a part of more. Values under four characters are not kept. Each that is kept stays for good and makes every
   * later `redact` dearer: it is for the few that a process has, not for one of each request. Tokens need not be added.
   */
  add(value: string): void {
    if (value.length < MIN_LENGTH) return
    for (const form of formsOf(value)) {
      this.#values.add(form)
      this.#longest = Math.max(this.#longest, form.length)
    }
    this.#pattern = undefined
  }

  /** Remembers all that the other one knows. */
  learn(other: Secrets): void {
    const before = this.#values.size
    for (const form of other.#values) this.#values.add(form)
    this.#longest = Math.max(this.#longest, other.#longest)
    if (this.#values.size > before) this.#pattern = undefined
  }

  /**
   * The text with every known secret replaced, also of one that is only there once control characters and escape
   * sequences are taken out, as they are before a screen; then the text comes without them.
   */
  redact(text: string): string {
    const redacted = this.#replace(text)
    if (!hasUnseen(redacted)) return redacted
    const seen = unseenRemoved(redacted)
    const replaced = this.#replace(seen)
    return replaced === seen ? redacted : replaced
  }

  #replace(text: string): string {
    this.#pattern ??= patternOf(this.#values)
    return text.replace(this.#pattern, REPLACEMENT)
  }

  /**
   * The first `max` characters of the redacted text. To cut first would leave a part of a secret that nothing knows.
   */
  excerpt(text: string, max: number): string {
    // As much as it takes to know a secret that begins within `max`, so that a text of megabytes is not searched.
    const enough = max + this.#longest
    // What is not seen makes a secret longer than it is known to be.
    const length = hasUnseen(text.slice(0, enough)) ? enough * MOST_STRETCHED : enough
    return this.redactPiece(text.slice(0, length), { end: text.length > length }).slice(0, max)
  }

  /**
   * The text, of which one or both ends were cut off, with every secret replaced, also of one that the cut went
   * through.
   */
  redactPiece(text: string, { start = false, end = false }: CutEnds): string {
    let piece = this.redact(text)
    const seen = hasUnseen(piece) ? unseenRemoved(piece) : piece
    if (seen !== piece && this.#isCut(seen, { start, end })) piece = seen
    const begun = end ? this.#overlap(piece, (form, length) => piece.endsWith(form.slice(0, length))) : 0
    if (begun > 0) piece = `${piece.slice(0, -begun)}${REPLACEMENT}`
    const ended = start ? this.#endOfSecret(piece) : 0
    return ended > 0 ? `${REPLACEMENT}${piece.slice(ended)}` : piece
  }

  #isCut(piece: string, { start, end }: CutEnds): boolean {
    return (
      (end === true && this.#overlap(piece, (form, length) => piece.endsWith(form.slice(0, length))) > 0) ||
      (start === true && this.#endOfSecret(piece) > 0)
    )
  }

  /** How many characters at the start of a piece may be the end of a secret. */
  #endOfSecret(piece: string): number {
    const tail = TOKEN_TAIL.exec(piece)?.[0].length ?? 0
    return Math.max(
      tail,
      this.#overlap(piece, (form, length) => piece.startsWith(form.slice(-length))),
    )
  }

  /** How many characters of a form stand at the edge, at most; 0 when it is too few to tell. */
  #overlap(piece: string, stands: (form: string, length: number) => boolean): number {
    let most = 0
    for (const form of this.#values)
      for (let length = Math.min(form.length - 1, piece.length); length >= MIN_LENGTH && length > most; length -= 1)
        if (stands(form, length)) most = length
    return most
  }
}

/** The longest first, since another may be a part of it; a token has its place by its length. */
function patternOf(values: ReadonlySet<string>): RegExp {
  const sorted = [...values].sort((a, b) => b.length - a.length)
  const shorter = sorted.findIndex(({ length }) => length <= TOKEN_LENGTH)
  const sources = sorted.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(sources.toSpliced(shorter === -1 ? sources.length : shorter, 0, TOKEN_IN_TEXT).join('|'), 'g')
}

/**
 * The value as it is and as others write it; some escape `/` in JSON, and the hex digits of `%2f` come in either case.
 */
function formsOf(value: string): ReadonlySet<string> {
  const encoded = encodeURIComponent(value.toWellFormed())
  const forms = new Set([value, encoded, encoded.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())])
  for (const escaped of [value, escapedInJson(value).replaceAll('/', '\\/')]) {
    let form = escaped
    for (let depth = 0; depth <= MAX_JSON_DEPTH; depth += 1) {
      forms.add(form)
      form = escapedInJson(form)
    }
  }
  if (value.length >= MIN_LOWER_CASE) forms.add(value.toLowerCase())
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.add(Buffer.from(value).toString(encoding).replace(/=+$/, ''))
    for (const inner of innerBase64(value, encoding)) if (inner.length >= MIN_INNER) forms.add(inner)
  }
  return forms
}

function escapedInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * The characters that are the value's alone wherever it stands in what was encoded, as in `base64("user:" + value)`.
 */
function innerBase64(value: string, encoding: 'base64' | 'base64url'): readonly string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding)
    // Six bits a character: the first that holds none of what stands before, up to the last that holds none of what
    // follows.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
}

function hasUnseen(text: string): boolean {
  return CONTROL.test(text) || IS_ESCAPED.test(text)
}

function unseenRemoved(text: string): string {
  const raw = text.replace(ESCAPED, (_, code?: string, short?: string) =>
    code === undefined
      ? (SHORT_ESCAPES[short?.toLowerCase() ?? ''] ?? '')
      : String.fromCharCode(Number.parseInt(code, 16)),
  )
  return printable(raw)
}
