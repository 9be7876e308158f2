/** What a query asks for, as terms of a vocabulary with what each is worth. */
import { STOP_WORDS } from './stop-words.ts'
import { SYNONYMS } from './synonyms.ts'
import { stemOf, type Vocabulary } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** What is read of a query: more would make the search slow and not better. */
const MOST_CHARACTERS = 4096
const MOST_WORDS = 64

/** What a word is worth as it stands and as its stem. */
const EXACT = 0.5
const STEMMED = 0.5
/** What another word for it is worth. */
const SYNONYM = 0.25

/** One term to look for. */
export interface QueryTerm {
  readonly term: number
  /** What finding it adds to the score of a tool, before the weight that it has there. */
  readonly worth: number
  /** What finding it adds to how much of the query the tool has. */
  readonly covers: number
  /** What it counts in the name of a tool: 1 for a stem of the query, less for a synonym; 0 for what is no stem, or was there before. */
  readonly names: number
}

export interface QueryTerms {
  /** In the order of the query's words. */
  readonly terms: readonly QueryTerm[]
  /** What a tool covers that has every word of the query that is anywhere; 0 when none is. */
  readonly asked: number
}

/** @param tools how many tools there are in all */
export function queryTerms(query: string, vocabulary: Vocabulary, tools: number): QueryTerms {
  const found: { term: number; share: number; isStem: boolean }[] = []
  const isThere = (term: number | undefined): term is number => term !== undefined && vocabulary.toolsWith(term) > 0
  const add = (term: number | undefined, share: number, isStem: boolean): void => {
    if (isThere(term)) found.push({ term, share, isStem })
  }
  for (const word of queryWords(query)) {
    add(vocabulary.word(word), EXACT, false)
    const stem = stemOf(word)
    for (const synonym of SYNONYMS.get(stem) ?? []) add(vocabulary.stem(synonym), SYNONYM, true)
    add(vocabulary.stem(stem), 1, true)
  }
  const inNames = new Map<number, number>()
  for (const { term, share, isStem } of found) if (isStem) inNames.set(term, Math.max(share, inNames.get(term) ?? 0))
  let asked = 0
  const terms = found.map(({ term, share, isStem }) => {
    const rare = rarity(vocabulary.toolsWith(term), tools)
    if (!isStem) return { term, worth: share * rare, covers: 0, names: 0 }
    if (share === 1) asked += rare
    const names = inNames.get(term) ?? 0
    inNames.delete(term)
    return { term, worth: STEMMED * share * rare, covers: share * rare, names }
  })
  return { terms, asked }
}

/** The words of the query, each once, in their order, without stop words unless there are no others. */
function queryWords(query: string): readonly string[] {
  const all = [...new Set(wordsOf(query.slice(0, MOST_CHARACTERS)))]
  const telling = all.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : all).slice(0, MOST_WORDS)
}

/** How much it says that a tool has a term: the fewer have it, the more (the idf of BM25). */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}
