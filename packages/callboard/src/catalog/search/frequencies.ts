/** How many of the tools that somebody may know of have a word: what is hidden from them has no part in it. */
import type { LiveIndex } from './live-index.ts'
import type { SearchScope } from './search-index.ts'
import { slotOfPosting } from './word-index.ts'
import { WORD_SHIFT } from './word-lists.ts'

/** What was counted for a scope, by stem and by word. */
interface Counted {
  readonly stems: Map<string, number>
  readonly words: Map<string, boolean>
}

const counted = new WeakMap<SearchScope, Counted>()

/** For one scope of the list at which the index is. What has to be counted is counted once for each scope. */
export class Frequencies {
  readonly #index: LiveIndex
  readonly #scope: SearchScope
  readonly #counted: Counted

  constructor(index: LiveIndex, scope: SearchScope) {
    this.#index = index
    this.#scope = scope
    this.#counted = counted.get(scope) ?? { stems: new Map(), words: new Map() }
    counted.set(scope, this.#counted)
  }

  /** How many tools have the stem with this number. */
  toolsWith(stem: number): number {
    const { vocabulary, postings } = this.#index.texts.words
    if (this.#scope.isWhole) return vocabulary.toolsWith(stem)
    const text = vocabulary.stemText(stem)
    let count = this.#counted.stems.get(text)
    if (count === undefined) {
      count = 0
      for (const posting of postings.of(stem)) if (this.#isIn(slotOfPosting(posting))) count++
      this.#counted.stems.set(text, count)
    }
    return count
  }

  /** Whether any tool has just this word, which is not enough of a reason for having its stem. */
  isThere(text: string): boolean {
    const { vocabulary } = this.#index.texts.words
    const word = vocabulary.word(text)
    if (word === undefined) return false
    if (this.#scope.isWhole) return vocabulary.holders(word) > 0
    let isThere = this.#counted.words.get(text)
    if (isThere === undefined) {
      isThere = this.#isInScope(word)
      this.#counted.words.set(text, isThere)
    }
    return isThere
  }

  #isInScope(word: number): boolean {
    const { vocabulary, postings, lists } = this.#index.texts.words
    for (const posting of postings.of(vocabulary.stemByWord[word] ?? 0)) {
      const slot = slotOfPosting(posting)
      if (this.#isIn(slot) && lists.of(slot).some((listed) => listed >>> WORD_SHIFT === word)) return true
    }
    return false
  }

  #isIn(slot: number): boolean {
    const position = this.#index.positions[slot] ?? 0
    return this.#index.tools[slot] !== undefined && this.#scope.has(position)
  }
}
