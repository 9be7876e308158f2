/** Numbers the words and the stems of a catalogue, so that everything else can keep numbers only. */
import { stemmer } from 'stemmer'
import { grown, integers } from './grown.ts'
import { isTelling } from './stop-words.ts'
import { kinshipOf } from './synonyms.ts'
import { WordEnds } from './word-ends.ts'
import { WordTable } from './word-table.ts'

/** Words outside these bounds, or with other letters, are their own stems: the rules are for English words. */
const STEMMED = /^[a-z]{3,30}$/
/** Words at most at a time; their numbers have 24 bits elsewhere. */
const MOST_WORDS = 2 ** 24 - 1

/** The word without its ending, so that forms of one word are found by each other. */
export function stemOf(word: string): string {
  return STEMMED.test(word) ? stemmer(word) : word
}

/**
 * Words have numbers, and so have their stems. A number stays for as long as a tool has the word, or the stem; `sweep`
 * makes those of which no tool is left free for others.
 */
export class Vocabulary {
  readonly ends: WordEnds = new WordEnds()
  /** By number of the word: its stem. */
  stemByWord: Uint32Array<ArrayBuffer> = integers(0)
  readonly #words = new WordTable()
  readonly #stems = new Map<string, number>()
  readonly #kin = new Map<string, number[]>()
  /** By number of the word: how many tools have it, and whether it says something. */
  readonly #holders: number[] = []
  readonly #telling: boolean[] = []
  /** By number of the stem: the stem, and how many tools have it. */
  readonly #stemTexts: string[] = []
  readonly #toolsWith: number[] = []
  readonly #unusedWords: number[] = []
  readonly #unusedStems: number[] = []

  /** Every number of a word is less than this. */
  get words(): number {
    return this.#words.numbers
  }

  /** Every number of a stem is less than this. */
  get stems(): number {
    return this.#stemTexts.length
  }

  /**
   * The number of the word that stands there in a text, which is new if the word is; undefined where there is room for
   * no more.
   */
  add(text: string, from: number, to: number): number | undefined {
    return this.#words.find(text, from, to) ?? this.#addWord(text.slice(from, to).toLowerCase())
  }

  /** @param word lower-case */
  word(word: string): number | undefined {
    return this.#words.find(word)
  }

  wordText(word: number): string {
    return this.#words.textOf(word)
  }

  stem(stem: string): number | undefined {
    return this.#stems.get(stem)
  }

  stemText(stem: number): string {
    return this.#stemTexts[stem] ?? ''
  }

  isTelling(word: number): boolean {
    return this.#telling[word] ?? false
  }

  /** How many tools have the word. */
  holders(word: number): number {
    return this.#holders[word] ?? 0
  }

  /** Counts one more tool with the word (1), or one less (-1). */
  countWord(word: number, by: 1 | -1): void {
    this.#holders[word] = (this.#holders[word] ?? 0) + by
  }

  countStem(stem: number, by: 1 | -1): void {
    this.#toolsWith[stem] = (this.#toolsWith[stem] ?? 0) + by
  }

  /** How many tools have the stem. */
  toolsWith(stem: number): number {
    return this.#toolsWith[stem] ?? 0
  }

  /** The stems that mean much the same as this one, whether it is there or not, in no particular order. */
  kinOf(stem: string): readonly number[] {
    const kinship = kinshipOf(stem)
    return kinship === undefined ? [] : (this.#kin.get(kinship) ?? [])
  }

  /** Forgets the words and the stems that no tool has. */
  sweep(): void {
    this.#words.sweep((word) => {
      if (this.#holders[word] !== 0) return false
      this.ends.delete(this.wordText(word))
      this.#unusedWords.push(word)
      return true
    })
    for (const [text, stem] of this.#stems) {
      if (this.#toolsWith[stem] !== 0) continue
      this.#stems.delete(text)
      this.#unusedStems.push(stem)
      const kinship = kinshipOf(text)
      const left = this.kinOf(text).filter((other) => other !== stem)
      if (kinship !== undefined) this.#kin.set(kinship, left)
      if (kinship !== undefined && left.length === 0) this.#kin.delete(kinship)
    }
  }

  #addWord(word: string): number | undefined {
    const number = this.#unusedWords.pop() ?? this.words
    if (number > MOST_WORDS) return undefined
    this.#words.set(number, word)
    this.stemByWord = grown(this.stemByWord, number + 1, integers)
    this.stemByWord[number] = this.#addStem(stemOf(word))
    this.#holders[number] = 0
    this.#telling[number] = isTelling(word)
    this.ends.add(word)
    return number
  }

  #addStem(stem: string): number {
    const known = this.#stems.get(stem)
    if (known !== undefined) return known
    const number = this.#unusedStems.pop() ?? this.#stemTexts.length
    this.#stems.set(stem, number)
    this.#stemTexts[number] = stem
    this.#toolsWith[number] = 0
    const kinship = kinshipOf(stem)
    if (kinship !== undefined) this.#kin.set(kinship, [...(this.#kin.get(kinship) ?? []), number])
    return number
  }
}
