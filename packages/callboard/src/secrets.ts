/** The secrets that the host knows, and their replacement in any text that leaves for a log, an error or a screen. */

/** Shorter values would blot out ordinary words. */
const MIN_LENGTH = 4
const REPLACEMENT = '[secret]'

/** A growing set of secret values; `redact` replaces each of them wherever it stands. */
export class Secrets {
  readonly #values = new Set<string>()
  #pattern: RegExp | undefined

  /** Remembers a value, its JSON and its URL-encoded form. Values under four characters are not kept. */
  add(value: string): void {
    if (value.length < MIN_LENGTH) return
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())])
      this.#values.add(form)
    this.#pattern = undefined
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
}
