/** How often a search says that nothing matches well: rarely, where there is an answer, and mostly, where no tool does such a thing. */
import { CHORES } from './chores.ts'
import type { Searcher } from './engine.ts'
import type { ToolSet } from './tool-set.ts'

/** Parts of all, from 0 to 1. */
export interface Misfits {
  /** Of the queries of the set. */
  readonly ofQueries: number
  /** Of the queries that have an answer among the first five hits. */
  readonly ofAnswered: number
  readonly ofChores: number
}

const HITS = 5

/** Undefined for an engine that says no such thing. */
export async function misfitsOf(searcher: Searcher, { queries }: ToolSet): Promise<Misfits | undefined> {
  const { fitsWell } = searcher
  if (!fitsWell) return undefined
  const share = (all: readonly string[]): number => all.filter((query) => !fitsWell(query)).length / all.length
  const answered: string[] = []
  for (const { query, gold } of queries) {
    const hits = await searcher.search(query, HITS)
    if (hits.some((id) => gold.includes(id))) answered.push(query)
  }
  return { ofQueries: share(queries.map(({ query }) => query)), ofAnswered: share(answered), ofChores: share(CHORES) }
}
