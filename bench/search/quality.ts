/** How good an engine's answers are: recall, nDCG and the reciprocal rank, as means over the queries of a set. */
import type { Searcher } from './engine.ts'
import type { SetQuery, ToolSet } from './tool-set.ts'

/** All from 0 to 1. */
export interface Quality {
  /** How much of what answers a query is among its first 1, 5 and 10 hits. */
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  /** Normalised discounted cumulative gain over ten hits, each of what answers worth the same. */
  readonly ndcg10: number
  /** The mean of one over the place of the first hit that answers, of 100. */
  readonly mrr: number
}

export const MEASURES: readonly (keyof Quality)[] = ['recall1', 'recall5', 'recall10', 'ndcg10', 'mrr']
const HITS = 100

export async function qualityOf(searcher: Searcher, { queries }: ToolSet): Promise<Quality> {
  const all: Quality[] = []
  for (const query of queries) all.push(qualityOfHits(await searcher.search(query.query, HITS), query))
  return meanQuality(all)
}

export function meanQuality(all: readonly Quality[]): Quality {
  const mean = (measure: keyof Quality): number => all.reduce((sum, one) => sum + one[measure], 0) / all.length
  return {
    recall1: mean('recall1'),
    recall5: mean('recall5'),
    recall10: mean('recall10'),
    ndcg10: mean('ndcg10'),
    mrr: mean('mrr'),
  }
}

/** @param ids what was found, best first, each once */
export function qualityOfHits(ids: readonly string[], { gold }: Pick<SetQuery, 'gold'>): Quality {
  const wanted = new Set(gold)
  const recall = (hits: number): number => ids.slice(0, hits).filter((id) => wanted.has(id)).length / wanted.size
  const first = ids.findIndex((id) => wanted.has(id))
  const gain = ids.slice(0, 10).reduce((sum, id, i) => sum + (wanted.has(id) ? discount(i) : 0), 0)
  const best = Array.from({ length: Math.min(10, wanted.size) }, (_, i) => discount(i)).reduce((a, b) => a + b, 0)
  return {
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(10),
    ndcg10: gain / best,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

function discount(place: number): number {
  return 1 / Math.log2(place + 2)
}
