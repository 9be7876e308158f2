/** What is read of a query: its words, and the clauses of a long one. */
import { isTelling } from './stop-words.ts'
import { wordsOf } from './words.ts'

/** What is read of a query: more would make the search slow and not better. */
const MOST_CHARACTERS = 4096
const MOST_WORDS = 64
const MOST_CLAUSES = 12
/** A clause of fewer words says too little to be looked up by itself. */
const LEAST_WORDS = 2
/** What ends a clause: a mark, or a word between two things to do. */
const CLAUSE_END = /[.;:!?]+\s|,\s|\n|\b(?:and|then)\b|[、。，；：！？]/iu

/** What is looked for of a query. */
export interface QueryWords {
  /** Each once, in their order. */
  readonly words: readonly string[]
  /** By clause: the places of its words in `words`. None unless there are two or more. */
  readonly clauses: readonly (readonly number[])[]
  /** The place of the last word of the text, where that may still be growing: nothing stands after it. */
  readonly open: number | undefined
}

/** The words of the query, without those that say nothing unless there are no others. */
export function queryWords(query: string): QueryWords {
  const text = query.slice(0, MOST_CHARACTERS)
  const read = wordsOf(text)
  const all = [...new Set(read)]
  const telling = all.filter(isTelling)
  const words = (telling.length > 0 ? telling : all).slice(0, MOST_WORDS)
  const places = new Map(words.map((word, place) => [word, place]))
  const clauses = text
    .split(CLAUSE_END, MOST_CLAUSES)
    .map((clause) => [...new Set(wordsOf(clause).flatMap((word) => places.get(word) ?? []))])
    .filter((clause) => clause.length >= LEAST_WORDS)
  const open = /[\p{L}\p{N}\p{M}]$/u.test(text) ? places.get(read.at(-1) ?? '') : undefined
  return { words, clauses: clauses.length > 1 ? clauses : [], open }
}
