/** Scores the tools that came out best at the first look by all that is known of their words. */
import type { AskedWord } from './asked-words.ts'
import type { Closeness, Meanings } from './meanings.ts'
import type { QueryWords } from './query-words.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { type WordIndex, worthOf } from './word-index.ts'
import { AMOUNT_CODES, AMOUNTS, IN_NAME, WORD_SHIFT } from './word-lists.ts'

/** What a word is worth as it stands and as its stem. */
const EXACT = 0.5
const STEMMED = 0.5
/** What another word of much the same meaning is worth. */
export const KIN = 0.25
/** What a word is worth that the name has without being taken apart there ("quality" in "airquality"). */
const INSIDE_NAME = 0.5
const LEAST_INSIDE = 4
/** How much is added for a name of which the query has every word, and for a tool that has every word of the query. */
const NAME_COVERED = 0.5
const QUERY_COVERED = 0.5
/** How much is added for a tool that means the same, in whatever words. */
const MEANT = 2
/** What the best clause counts beside the whole query. */
const CLAUSE = 0.7
/**
 * A tool that has as much as so many of the rarest words has enough of any query: a long one says more than one tool
 * does.
 */
const ENOUGH = 3

/** What a closer look makes of one tool. */
export interface CloserScore {
  readonly score: number
  /**
   * How well the tool fits the query, or the clause that it fits best: of its words and of its meaning, from 0 to 1.
   */
  readonly likeness: number
}

/** What is known of the tools. */
interface Known {
  readonly index: WordIndex
  readonly meanings: Meanings | undefined
  /** As many as there are stems, all 0; given back by `close`. */
  readonly marks: Uint16Array
}

interface Part {
  readonly places: readonly number[]
  /** Undefined where nothing is known of what the words mean. */
  readonly closeness: Closeness | undefined
}

/** For one query. */
export class CloserLook {
  readonly #index: WordIndex
  readonly #asked: readonly AskedWord[]
  /** The whole query, then its clauses. */
  readonly #parts: readonly Part[]
  /** By stem: its place in `#uses` plus one, 0 for a stem that the query does not ask for. */
  readonly #marks: Uint16Array
  /**
   * The words that ask for a stem: for each its place times two, plus one where the stem is only of much the same
   * meaning.
   */
  readonly #uses: number[][] = []
  /**
   * By place of the word: how much of it, of its own form and of its kin a tool has, whether the name has it, and what
   * comes of that.
   */
  readonly #own: Float64Array
  readonly #exact: Float64Array
  readonly #kin: Float64Array
  readonly #named: Float64Array
  readonly #scores: Float64Array
  readonly #covered: Float64Array

  constructor(asked: readonly AskedWord[], clauses: QueryWords['clauses'], { index, meanings, marks }: Known) {
    this.#index = index
    this.#asked = asked
    this.#parts = [[...asked.keys()], ...clauses].map((places) => ({
      places,
      closeness: meanings?.closenessTo(asked, places),
    }))
    this.#marks = marks
    const numbers = (): Float64Array => new Float64Array(asked.length)
    ;[this.#own, this.#exact, this.#kin, this.#named] = [numbers(), numbers(), numbers(), numbers()]
    ;[this.#scores, this.#covered] = [numbers(), numbers()]
    for (const [place, { own, kin }] of asked.entries()) {
      for (const stem of own) this.#use(stem, place * 2)
      for (const stem of kin) this.#use(stem, place * 2 + 1)
    }
  }

  /** Leaves the marks as they were. */
  close(): void {
    for (const { own, kin } of this.#asked) for (const stem of [...own, ...kin]) this.#marks[stem] = 0
  }

  at(slot: number, tool: SearchableTool): CloserScore {
    this.#count(slot)
    const name = tool.entry.declaredName.toLowerCase()
    for (const place of this.#asked.keys()) this.#weigh(place, name)
    const nameStems = Math.max(1, this.#index.lists.nameStems(slot))
    const [whole, ...clauses] = this.#parts.map(({ places, closeness }) =>
      this.#sum(places, nameStems, closeness?.(slot, tool)),
    )
    const best = Math.max(0, ...clauses.map(({ score }) => score))
    const likeness = Math.max(whole?.likeness ?? 0, ...clauses.map((clause) => clause.likeness))
    return { score: (whole?.score ?? 0) + CLAUSE * best, likeness }
  }

  #use(stem: number, use: number): void {
    const mark = this.#marks[stem] ?? 0
    if (mark > 0) this.#uses[mark - 1]?.push(use)
    else this.#marks[stem] = this.#uses.push([use])
  }

  #count(slot: number): void {
    for (const amounts of [this.#own, this.#exact, this.#kin, this.#named]) amounts.fill(0)
    const stems = this.#index.vocabulary.stemByWord
    const list = this.#index.lists.of(slot)
    for (let i = 0; i < list.length; i++) {
      const listed = list[i] ?? 0
      const mark = this.#marks[stems[listed >>> WORD_SHIFT] ?? 0] ?? 0
      if (mark !== 0) this.#add(listed, this.#uses[mark - 1] ?? [])
    }
  }

  #add(listed: number, uses: readonly number[]): void {
    const word = listed >>> WORD_SHIFT
    const amount = AMOUNTS[listed & (AMOUNT_CODES - 1)] ?? 0
    for (const use of uses) {
      const place = use >>> 1
      const isOwn = (use & 1) === 0
      const amounts = isOwn ? this.#own : this.#kin
      amounts[place] = (amounts[place] ?? 0) + amount
      if (this.#asked[place]?.word === word) this.#exact[place] = amount
      if ((listed & IN_NAME) !== 0) this.#named[place] = Math.max(this.#named[place] ?? 0, isOwn ? 1 : KIN)
    }
  }

  /** What comes of what was counted of one word. */
  #weigh(place: number, name: string): void {
    const asked = this.#asked[place]
    if (!asked) return
    const own = this.#own[place] ?? 0
    const kin = this.#kin[place] ?? 0
    const { share, rarity, kinRarity, stem, text } = asked
    // A word that others stand for has no form of its own.
    const exact = share < 1 ? own : (this.#exact[place] ?? 0)
    const inside = this.#named[place] === 0 && isInside(name, text, stem) ? INSIDE_NAME : 0
    this.#scores[place] =
      share * rarity * (EXACT * worthOf(exact) + STEMMED * worthOf(own)) +
      KIN * kinRarity * worthOf(own + kin) +
      inside * rarity
    this.#covered[place] = rarity * (own > 0 ? share : kin > 0 ? KIN : 0)
  }

  /** Adds words up: all of the query, or those of a clause. */
  #sum(places: readonly number[], nameStems: number, closeness: number | undefined): CloserScore {
    let [score, named, covered, there, all, rarest] = [0, 0, 0, 0, 0, 0]
    for (const place of places) {
      const { own, rarity } = this.#asked[place] ?? { own: [], rarity: 0 }
      score += this.#scores[place] ?? 0
      named += this.#named[place] ?? 0
      covered += this.#covered[place] ?? 0
      all += rarity
      rarest = Math.max(rarest, rarity)
      if (own.length > 0) there += rarity
    }
    const ofName = Math.min(1, named / nameStems)
    const ofQuery = there === 0 ? 0 : Math.min(1, covered / there)
    const inWords = all === 0 ? 0 : Math.min(1, covered / Math.min(all, ENOUGH * rarest))
    return {
      score: score * (1 + NAME_COVERED * ofName + QUERY_COVERED * ofQuery + MEANT * (closeness ?? 0)),
      likeness: closeness === undefined ? inWords : (inWords + closeness) / 2,
    }
  }
}

function isInside(name: string, text: string, stem: string): boolean {
  const part = stem.length >= LEAST_INSIDE ? stem : text
  return part.length >= LEAST_INSIDE && name.includes(part)
}

/** Marks for so many stems: those from before, where they are enough. */
export function marksFor(stems: number, before: Uint16Array): Uint16Array {
  return before.length >= stems ? before : new Uint16Array(stems * 2)
}
