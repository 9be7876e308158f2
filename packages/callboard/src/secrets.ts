/** The secrets that the host knows, and their replacement in any text that leaves for a log, an error or a screen. */

/** Shorter values would blot out ordinary words. */
const MIN_LENGTH = 4
const REPLACEMENT = '[secret]'
/** A text in a JSON text in a message in a line of the log. */
const MAX_JSON_DEPTH = 3

/** Which ends of a text were cut off, so that a part of a secret may stand there. */
export interface CutEnds {
  readonly start?: boolean
  readonly end?: boolean
}

/** A growing set of secret values; `redact` replaces each of them wherever it stands. */
export class Secrets {
  readonly #values = new Set<string>()
  #pattern: RegExp | undefined
  #longest = 0

  /**
   * Remembers a value and the forms in which it travels: JSON in JSON, URL-encoded, base64. Values under four characters
   * are not kept.
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

  /** The text with every known secret replaced. */
  redact(text: string): string {
    if (this.#values.size === 0) return text
    this.#pattern ??= new RegExp(
      [...this.#values]
        .sort((a, b) => b.length - a.length)
        .map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'g',
    )
    return text.replace(this.#pattern, REPLACEMENT)
  }

  /** The first `max` characters of the redacted text. To cut first would leave a part of a secret that nothing knows. */
  excerpt(text: string, max: number): string {
    // As much as it takes to know a secret that begins within `max`, so that a text of megabytes is not searched.
    const enough = max + this.#longest
    const piece = text.slice(0, enough)
    return this.redactPiece(piece, { end: text.length > enough }).slice(0, max)
  }

  /** The text, of which one or both ends were cut off, with every secret replaced, also of one that the cut went through. */
  redactPiece(text: string, { start = false, end = false }: CutEnds): string {
    let piece = this.redact(text)
    const begun = end ? this.#overlap(piece, (form, length) => piece.endsWith(form.slice(0, length))) : 0
    if (begun > 0) piece = `${piece.slice(0, -begun)}${REPLACEMENT}`
    const ended = start ? this.#overlap(piece, (form, length) => piece.startsWith(form.slice(-length))) : 0
    return ended > 0 ? `${REPLACEMENT}${piece.slice(ended)}` : piece
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

/** The value as it is and as others write it; some escape `/` in JSON, and the hex digits of `%2f` come in either case. */
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
  for (const encoding of ['base64', 'base64url'] as const)
    forms.add(Buffer.from(value).toString(encoding).replace(/=+$/, ''))
  return forms
}

function escapedInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
