/** Makes the search index of a list of tools; what it needs for an answer is built when such an answer is first asked for. */
import { CloseNames } from './close-names.ts'
import { ExactNames, type Exactness } from './exact-names.ts'
import { buildPostings } from './postings.ts'
import { rankedMatches, type Tier } from './ranked-matches.ts'
import { Relevance } from './relevance.ts'
import type { AcceptPosition, SearchIndex, SearchMatches } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { TextScan } from './text-scan.ts'

const EXACT_TIERS: Readonly<Record<Exactness, Tier>> = { literal: 1, alike: 2, otherLiteral: 3, otherAlike: 4 }
const NAME_CONTAINS: Tier = 5
const DESCRIPTION_CONTAINS: Tier = 6
const RELEVANT: Tier = 7

/** Sizes of the signatures by which texts are passed over, for names of some thirty letters and descriptions of some two hundred. */
const NAME_BITS = 128
const DESCRIPTION_BITS = 512

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
    const { relevance, tiers, room } = this.#texts
    const scores = relevance.of(typed)
    setTiers(this.#texts, typed.toLowerCase(), scores)
    return rankedMatches({ tiers, scores, room }, accepts, most)
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
  readonly relevance: Relevance
  /** By position, for the search that is under way. */
  readonly tiers: Uint8Array
  readonly room: Float64Array
}

function readTexts(tools: readonly SearchableTool[]): Texts {
  return {
    exactNames: new ExactNames(tools),
    names: new TextScan(
      tools.map(({ entry }) => entry.name),
      NAME_BITS,
    ),
    descriptions: new TextScan(
      tools.map(({ entry }) => entry.description),
      DESCRIPTION_BITS,
    ),
    relevance: new Relevance(buildPostings(tools)),
    tiers: new Uint8Array(tools.length),
    room: new Float64Array(tools.length),
  }
}

/** Sets the tier of each tool, 0 for what does not match; from the last tier to the first, so that the best one stays. */
function setTiers({ tiers, descriptions, names, exactNames }: Texts, needle: string, scores: Float64Array): void {
  for (let position = 0; position < tiers.length; position++) {
    tiers[position] = (scores[position] ?? 0) > 0 ? RELEVANT : 0
  }
  const put = (tier: Tier) => (position: number) => {
    tiers[position] = tier
  }
  descriptions.forEachContaining(needle, put(DESCRIPTION_CONTAINS))
  names.forEachContaining(needle, put(NAME_CONTAINS))
  exactNames.forEach(needle, (position, exactness) => {
    tiers[position] = EXACT_TIERS[exactness]
  })
}
