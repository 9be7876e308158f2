/** Numbers the words and the stems of a catalogue, so that everything else can keep numbers only. */
import { stemmer } from 'stemmer'

/** Words outside these bounds, or with other letters, are their own stems: the rules are for English words. */
const STEMMED = /^[a-z]{3,30}$/

export function stemOf(word: string): string {
  return STEMMED.test(word) ? stemmer(word) : word
}

/**
 * Words and stems share one run of numbers (terms), but a word and an equal stem are two terms. A term is there for as
 * long as somebody holds it; then its number may become another's.
 */
export class Vocabulary {
  readonly #words = new Map<string, number>()
  readonly #stems = new Map<string, number>()
  /** All by term. */
  readonly #texts: string[] = []
  /** The stem of a word; for a stem, itself. */
  readonly #stemByTerm: number[] = []
  readonly #holders: number[] = []
  readonly #tools: number[] = []
  readonly #unused: number[] = []

  /** Every term is less than this. */
  get size(): number {
    return this.#texts.length
  }

  /** The term of a word, which is new if the word is; nobody holds a new one yet. */
  add(word: string): number {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const stem = this.#addStem(stemOf(word))
    const term = this.#number(word)
    this.#stemByTerm[term] = stem
    this.#words.set(word, term)
    return term
  }

  /** The term of a word that is there. */
  word(word: string): number | undefined {
    return this.#words.get(word)
  }

  /** The term of a stem that is there. */
  stem(stem: string): number | undefined {
    return this.#stems.get(stem)
  }

  /** The term of the stem of a word. */
  stemTerm(term: number): number {
    return this.#stemByTerm[term] ?? term
  }

  /** Keeps the term until it is released as often. Whoever holds a word holds its stem. */
  hold(term: number): void {
    this.#holders[term] = (this.#holders[term] ?? 0) + 1
  }

  release(term: number): void {
    const holders = (this.#holders[term] ?? 0) - 1
    this.#holders[term] = holders
    if (holders > 0) return
    const known = this.#stemByTerm[term] === term ? this.#stems : this.#words
    known.delete(this.#texts[term] ?? '')
    this.#texts[term] = ''
    this.#unused.push(term)
  }

  /** Counts so many more tools, or fewer, that have the term. */
  count(term: number, tools: number): void {
    this.#tools[term] = (this.#tools[term] ?? 0) + tools
  }

  /** How many tools have the term. */
  toolsWith(term: number): number {
    return this.#tools[term] ?? 0
  }

  #addStem(stem: string): number {
    const known = this.#stems.get(stem)
    if (known !== undefined) return known
    const term = this.#number(stem)
    this.#stemByTerm[term] = term
    this.#stems.set(stem, term)
    return term
  }

  #number(text: string): number {
    const term = this.#unused.pop() ?? this.#texts.length
    this.#texts[term] = text
    this.#holders[term] = 0
    this.#tools[term] = 0
    return term
  }
}
