/** Makes the search index of a list of tools; what it needs for an answer is built when such an answer is first asked for. */
import { CloseNames } from './close-names.ts'
import { ExactNames, type Exactness } from './exact-names.ts'
import { buildPostings, type Postings } from './postings.ts'
import { rankedMatches, type Tier } from './ranked-matches.ts'
import { relevance } from './relevance.ts'
import type { AcceptPosition, SearchIndex, SearchMatches } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { TextScan } from './text-scan.ts'

const EXACT_TIERS: Readonly<Record<Exactness, Tier>> = { literal: 1, alike: 2, otherLiteral: 3, otherAlike: 4 }
const NAME_CONTAINS: Tier = 5
const DESCRIPTION_CONTAINS: Tier = 6
const RELEVANT: Tier = 7

/** @param tools sorted by public name; at most 8,388,608 */
export function createSearchIndex(tools: readonly SearchableTool[]): SearchIndex {
  return new ToolSearchIndex(tools)
}

class ToolSearchIndex implements SearchIndex {
  readonly #tools: readonly SearchableTool[]
  #texts: Texts | undefined
  #closeNames: CloseNames | undefined

  constructor(tools: readonly SearchableTool[]) {
    this.#tools = tools
  }

  search(query: string, accepts: AcceptPosition, most: number): SearchMatches {
    const typed = query.trim()
    if (typed === '') return { positions: [], total: 0 }
    this.#texts ??= readTexts(this.#tools)
    const scores = relevance(this.#texts.postings, typed)
    return rankedMatches({ tiers: tiersOf(this.#texts, typed.toLowerCase(), scores), scores }, accepts, most)
  }

  suggest(name: string, limit: number, accepts: AcceptPosition): readonly number[] {
    this.#closeNames ??= new CloseNames(this.#tools)
    return this.#closeNames.find(name.trim(), limit, accepts)
  }
}

/** What a search looks at. */
interface Texts {
  readonly exactNames: ExactNames
  readonly names: TextScan
  readonly descriptions: TextScan
  readonly postings: Postings
}

function readTexts(tools: readonly SearchableTool[]): Texts {
  return {
    exactNames: new ExactNames(tools),
    names: new TextScan(tools.map(({ entry }) => entry.name)),
    descriptions: new TextScan(tools.map(({ entry }) => entry.description)),
    postings: buildPostings(tools),
  }
}

/** The tier of each tool, 0 for what does not match; set from the last tier to the first, so that the best one stays. */
function tiersOf(texts: Texts, needle: string, scores: Float64Array): Uint8Array {
  const tiers = new Uint8Array(scores.length)
  for (let position = 0; position < scores.length; position++) {
    if ((scores[position] ?? 0) > 0) tiers[position] = RELEVANT
  }
  const put = (tier: Tier) => (position: number) => {
    tiers[position] = tier
  }
  texts.descriptions.forEachContaining(needle, put(DESCRIPTION_CONTAINS))
  texts.names.forEachContaining(needle, put(NAME_CONTAINS))
  texts.exactNames.forEach(needle, (position, exactness) => {
    tiers[position] = EXACT_TIERS[exactness]
  })
  return tiers
}
