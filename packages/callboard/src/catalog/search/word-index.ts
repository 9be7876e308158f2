/** The words of every tool, both ways: which tools have a stem, and which words a tool has. */
import { floats, grown, integers } from './grown.ts'
import { PostingLists } from './posting-lists.ts'
import { NAME_FIELD, SEARCH_FIELDS, type SearchableTool } from './searchable-tool.ts'
import { Vocabulary } from './vocabulary.ts'
import { amountCode, IN_NAME, WORD_SHIFT, WordLists } from './word-lists.ts'
import { eachWord } from './words.ts'

/** Words of one field that are read, so that no plugin's text can make the index large. */
const MOST_WORDS = 1000
/** How soon more of the same word in a tool adds nothing (the k1 of BM25). */
const SATURATION = 1.2

/** What an amount of a word is worth, from 0 up to `LARGEST_WORTH`. */
export function worthOf(amount: number): number {
  return (amount * (SATURATION + 1)) / (SATURATION + amount)
}
/** What `worthOf` comes near to, however large the amount. */
export const LARGEST_WORTH: number = SATURATION + 1

/** A posting is a slot and, in its lowest bits, what the stem is worth there, in so many steps. */
const POSTING_BITS = 8
/** How many steps `LARGEST_WORTH` is. */
export const POSTING_STEPS: number = 2 ** POSTING_BITS - 1

/** The tool that a posting is of. */
export function slotOfPosting(posting: number): number {
  return posting >>> POSTING_BITS
}

/** What the stem is worth there, from 0 to `POSTING_STEPS`. */
export function stepsOfPosting(posting: number): number {
  return posting & POSTING_STEPS
}

/**
 * Tools are given by their slots, less than 2^24. What a word is worth depends on its tool alone (BM25F, with the usual
 * lengths of fields instead of their means), so that it is worked out once and no other tool has a part in it.
 */
export class WordIndex {
  readonly vocabulary: Vocabulary = new Vocabulary()
  readonly postings: PostingLists = new PostingLists()
  readonly lists: WordLists = new WordLists()
  /** Of the tool that is being read, by word or stem; all 0 in between. */
  #amounts = floats(0)
  #stemAmounts = floats(0)
  /** Of the tool that is being read: its words, each once, the stems of them, and what is kept of the words. */
  readonly #words = integers(MOST_WORDS * SEARCH_FIELDS.length)
  #wordCount = 0
  readonly #stems = integers(MOST_WORDS * SEARCH_FIELDS.length)
  readonly #listed = integers(MOST_WORDS * SEARCH_FIELDS.length)
  /** The words of the field that is being read. */
  readonly #field = integers(MOST_WORDS)
  #fieldCount = 0

  add(slot: number, tool: SearchableTool): void {
    const inName = this.#read(tool)
    let stems = 0
    let nameStems = 0
    for (let i = 0; i < this.#wordCount; i++) {
      const word = this.#words[i] ?? 0
      const amount = this.#amounts[word] ?? 0
      this.#amounts[word] = 0
      const stem = this.vocabulary.stemByWord[word] ?? 0
      const before = this.#stemAmounts[stem] ?? 0
      if (before === 0) this.#stems[stems++] = stem
      this.#stemAmounts[stem] = before + amount
      if (i < inName) nameStems = stems
      this.vocabulary.countWord(word, 1)
      this.#listed[i] = word * 2 ** WORD_SHIFT + (i < inName ? IN_NAME : 0) + amountCode(amount)
    }
    for (let i = 0; i < stems; i++) {
      const stem = this.#stems[i] ?? 0
      const worth = worthOf(this.#stemAmounts[stem] ?? 0) / LARGEST_WORTH
      this.#stemAmounts[stem] = 0
      this.vocabulary.countStem(stem, 1)
      this.postings.add(stem, slot * 2 ** POSTING_BITS + Math.max(1, Math.round(worth * POSTING_STEPS)))
    }
    this.lists.set(slot, this.#listed.subarray(0, this.#wordCount), nameStems)
  }

  /**
   * Takes a tool out of all that is counted. Its postings stay until `sweep`, and so long no other tool may have its
   * slot.
   */
  remove(slot: number): void {
    const stems = new Set<number>()
    for (const listed of this.lists.of(slot)) {
      const word = listed >>> WORD_SHIFT
      this.vocabulary.countWord(word, -1)
      stems.add(this.vocabulary.stemByWord[word] ?? 0)
    }
    for (const stem of stems) this.vocabulary.countStem(stem, -1)
    this.lists.delete(slot)
  }

  /** Takes out what is left of the tools in these slots, and of the words that were theirs alone. */
  sweep(isGone: (slot: number) => boolean): void {
    this.postings.sweep((posting) => isGone(slotOfPosting(posting)))
    this.lists.sweep()
    this.vocabulary.sweep()
  }

  /**
   * Reads the words of the tool, each once, and how much of each it has; says how many of them, the first ones, are in
   * its name.
   */
  #read(tool: SearchableTool): number {
    this.#wordCount = 0
    let inName = 0
    for (const [i, { weight, evenness, usual, texts }] of SEARCH_FIELDS.entries()) {
      this.#fieldCount = 0
      for (const text of texts(tool)) this.#readText(text, i === NAME_FIELD)
      const amount = weight / (1 - evenness + (evenness * this.#fieldCount) / usual)
      for (let at = 0; at < this.#fieldCount; at++) this.#addAmount(this.#field[at] ?? 0, amount)
      if (i === NAME_FIELD) inName = this.#wordCount
    }
    return inName
  }

  #addAmount(word: number, amount: number): void {
    const before = this.#amounts[word] ?? 0
    if (before === 0) this.#words[this.#wordCount++] = word
    this.#amounts[word] = before + amount
  }

  /** Adds the telling words of the text to those of the field, or all of them, while there is room. */
  #readText(text: string, all: boolean): void {
    if (this.#fieldCount === MOST_WORDS) return
    eachWord(text, (part, from, to) => {
      const word = this.vocabulary.add(part, from, to)
      if (word !== undefined && (all || this.vocabulary.isTelling(word))) this.#field[this.#fieldCount++] = word
      return this.#fieldCount < MOST_WORDS
    })
    this.#amounts = grown(this.#amounts, this.vocabulary.words, floats)
    this.#stemAmounts = grown(this.#stemAmounts, this.vocabulary.stems, floats)
  }
}
