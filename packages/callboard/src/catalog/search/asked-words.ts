/** What each word of a query is looked up as, and what finding it is worth. */
import type { Frequencies } from './frequencies.ts'
import type { QueryWords } from './query-words.ts'
import { stemOf, type Vocabulary } from './vocabulary.ts'

/** What a word is worth that only begins with the last one of the query, and one that differs by a letter. */
const COMPLETED = 0.7
const CORRECTED = 0.6
/** Stems at most for one word of the query. */
const MOST_COMPLETED = 16
const MOST_CORRECTED = 8
const MOST_KIN = 24
/** Words that were misspelt are looked for in so many places of a query, no more: it is slow. */
const MOST_MISSPELT = 8
/** A last word of fewer letters begins too many others. */
const LEAST_OPEN = 3

/** One word of a query, with the stems as which it is looked up. */
export interface AskedWord {
  readonly text: string
  readonly stem: string
  /** The number of the word itself, where any tool has it, of the scope or not. */
  readonly word: number | undefined
  /** Stems as which it is found; none for a word that no tool has. */
  readonly own: readonly number[]
  /** Stems that mean much the same. */
  readonly kin: readonly number[]
  /** 1, or less where other words stand for it. */
  readonly share: number
  /** How much it says that a tool has it: the fewer have it, the more (the idf of BM25). */
  readonly rarity: number
  /** The same for it and its kin together. */
  readonly kinRarity: number
}

/** One for each word of the query, in that order; `tools` is how many are in the scope. */
export function askedWords(
  { words, open }: QueryWords,
  vocabulary: Vocabulary,
  { frequencies, tools }: { readonly frequencies: Frequencies; readonly tools: number },
): readonly AskedWord[] {
  let misspelt = 0
  return words.map((text, i) => {
    const isLast = i === open
    const stem = stemOf(text)
    const stems = new Stems(vocabulary, frequencies)
    const { own, share } = stems.own(text, isLast, () => misspelt++ < MOST_MISSPELT)
    const completed = isLast && share === 1 && text.length >= LEAST_OPEN ? stems.completing(text) : []
    const kin = [...new Set([...stems.kin(stem), ...completed])].filter((other) => !own.includes(other))
    const rarityOf = (some: readonly number[]): number => {
      const having = some.reduce((sum, one) => sum + frequencies.toolsWith(one), 0)
      return rarity(Math.min(having, tools), tools)
    }
    return {
      text,
      stem,
      word: vocabulary.word(text),
      own,
      kin,
      share,
      rarity: rarityOf(own),
      kinRarity: rarityOf([...own, ...kin]),
    }
  })
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}

/** Looks stems up that are there, in an order that has nothing to do with their numbers. */
class Stems {
  readonly #vocabulary: Vocabulary
  readonly #frequencies: Frequencies

  constructor(vocabulary: Vocabulary, frequencies: Frequencies) {
    this.#vocabulary = vocabulary
    this.#frequencies = frequencies
  }

  /** The word's own stem; where no tool has that, those of longer words for the last word, then those that are near. */
  own(text: string, isLast: boolean, mayCorrect: () => boolean): { own: readonly number[]; share: number } {
    const stem = this.#vocabulary.stem(stemOf(text))
    if (stem !== undefined && this.#frequencies.toolsWith(stem) > 0) return { own: [stem], share: 1 }
    const completed = isLast ? this.completing(text) : []
    if (completed.length > 0) return { own: completed, share: COMPLETED }
    const corrected = text.length > 4 && mayCorrect() ? this.#of(this.#vocabulary.ends.near(text), MOST_CORRECTED) : []
    return { own: corrected, share: corrected.length > 0 ? CORRECTED : 1 }
  }

  completing(text: string): readonly number[] {
    return this.#of(this.#vocabulary.ends.beginningWith(text), MOST_COMPLETED)
  }

  kin(stem: string): readonly number[] {
    const there = this.#vocabulary.kinOf(stem).filter((other) => this.#frequencies.toolsWith(other) > 0)
    const text = (other: number): string => this.#vocabulary.stemText(other)
    return there.sort((a, b) => (text(a) < text(b) ? -1 : 1)).slice(0, MOST_KIN)
  }

  /** The stems of the words that are there. */
  #of(words: readonly string[], most: number): readonly number[] {
    const stems = new Set<number>()
    for (const text of words) {
      if (stems.size === most) break
      const stem = this.#vocabulary.stem(stemOf(text))
      if (stem !== undefined && this.#frequencies.isThere(text)) stems.add(stem)
    }
    return [...stems]
  }
}
