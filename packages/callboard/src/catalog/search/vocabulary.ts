/** Numbers the words and the stems of a catalogue, so that everything else can keep numbers only. */
import { stemmer } from 'stemmer'

/** Words outside these bounds, or with other letters, are their own stems: the rules are for English words. */
const STEMMED = /^[a-z]{3,30}$/

export function stemOf(word: string): string {
  return STEMMED.test(word) ? stemmer(word) : word
}

/** Words and stems share one run of numbers (terms), but a word and an equal stem are two terms. */
export class Vocabulary {
  readonly #words = new Map<string, number>()
  readonly #stems = new Map<string, number>()
  /** By term: the stem of a word; for a stem, itself. */
  readonly #stemByTerm: number[] = []

  /** How many terms there are. */
  get size(): number {
    return this.#stemByTerm.length
  }

  /** The term of a word, which is new if the word is. */
  add(word: string): number {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const stem = this.#addStem(stemOf(word))
    const term = this.#stemByTerm.length
    this.#stemByTerm.push(stem)
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

  #addStem(stem: string): number {
    const known = this.#stems.get(stem)
    if (known !== undefined) return known
    const term = this.#stemByTerm.length
    this.#stemByTerm.push(term)
    this.#stems.set(stem, term)
    return term
  }
}
