/** Gathers everything that is wrong with a config, so that one error can name all of it by file, line and column. */
import { CallboardError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/** More than a person mends in one go. */
const SHOWN = 50

interface Problem {
  readonly offset: number
  readonly message: () => string
}

export class Problems {
  readonly #label: string
  readonly #text: string
  readonly #secrets: Secrets
  readonly #found: Problem[] = []

  /** `label` names the document (its file), `text` is what the offsets count in; '' when it was given as data. */
  constructor(label: string, text: string, secrets: Secrets) {
    this.#label = label
    this.#text = text
    this.#secrets = secrets
  }

  /** Notes one problem at an offset of the text. The message is only asked for when it is shown. */
  add(offset: number, message: () => string): void {
    this.#found.push({ offset, message })
  }

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  /** Throws one CallboardError (code `config`) with a line for each problem, in the order of the text. */
  throwIfAny(): void {
    if (this.isEmpty) return
    const sorted = this.#found.toSorted((a, b) => a.offset - b.offset)
    const lines = [...new Set(sorted.slice(0, SHOWN).map((problem) => this.#line(problem)))]
    if (sorted.length > SHOWN) lines.push(`${this.#label}: and ${sorted.length - SHOWN} more`)
    throw new CallboardError('config', this.#secrets.redact(lines.join('\n')))
  }

  /** The line, from 1, on which an offset stands. */
  lineAt(offset: number): number {
    return this.#text.slice(0, offset).split('\n').length
  }

  #line({ offset, message }: Problem): string {
    if (this.#text === '') return `${this.#label}: ${message()}`
    const column = offset - this.#text.lastIndexOf('\n', offset - 1)
    return `${this.#label}:${this.lineAt(offset)}:${column}: ${message()}`
  }
}
