/** Searches any of the lists of tools that follow one another, reading of each only what the one before did not have. */
import { setImmediate } from 'node:timers/promises'
import { closestNames, typedLetters } from './close-names.ts'
import { type Exactness, type TypedName, typedName } from './exact-names.ts'
import { LiveIndex, SEGMENT_SIZE } from './live-index.ts'
import { queryTerms } from './query-terms.ts'
import { Matches, rankedMatches, type Tier } from './ranked-matches.ts'
import { Relevance } from './relevance.ts'
import type { AcceptPosition, SearchMatches } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'
import type { Segment, SegmentTexts } from './segment.ts'
import { type ScanNeedle, scanNeedle } from './text-scan.ts'

const EXACT_TIERS: Readonly<Record<Exactness, Tier>> = { literal: 1, alike: 2, otherLiteral: 3, otherAlike: 4 }
const NAME_CONTAINS: Tier = 5
const DESCRIPTION_CONTAINS: Tier = 6
const RELEVANT: Tier = 7
const NONE = 0

/**
 * Every answer is that of the list which is asked about, whatever was asked about before; going to and fro between lists
 * costs what differs between them. The lists are sorted by public name; the methods are those of `SearchIndex`.
 */
export class LiveSearch {
  readonly #index: LiveIndex
  readonly #relevance: Relevance
  /** By slot, of the segment that is looked at: the tier by what its texts contain. */
  readonly #tiers: (Tier | typeof NONE)[]
  readonly #matches = new Matches()

  /** @param segmentSize tools that are read in one step, a power of two */
  constructor(segmentSize: number = SEGMENT_SIZE) {
    this.#index = new LiveIndex(segmentSize)
    this.#relevance = new Relevance(segmentSize)
    this.#tiers = new Array(segmentSize).fill(NONE)
  }

  search(tools: readonly SearchableTool[], query: string, accepts: AcceptPosition, most: number): SearchMatches {
    const typed = query.trim()
    if (typed === '') return { positions: [], total: 0 }
    this.#index.moveTo(tools)
    const { segments, totals } = this.#index
    // How rare a word is is known only when all is read.
    const texts = segments.map((segment) => segment.texts)
    const terms = queryTerms(typed, totals.vocabulary, tools.length)
    const name = typedName(typed)
    const needle = scanNeedle(name.lowerCase)
    this.#matches.clear()
    for (const [i, segment] of segments.entries()) {
      const text = texts[i]
      if (!text) continue
      this.#relevance.find(terms, text.postings, totals.lengths)
      this.#setTiers(text, name, needle)
      this.#collect(segment, accepts)
    }
    return rankedMatches(this.#matches, most)
  }

  suggest(tools: readonly SearchableTool[], name: string, limit: number, accepts: AcceptPosition): readonly number[] {
    const typed = typedLetters(name.trim())
    if (typed === undefined || !(limit > 0)) return []
    this.#index.moveTo(tools)
    const ranks = new Uint8Array(tools.length)
    for (const { closeNames, positions } of this.#index.segments) {
      closeNames.forEach(typed, (slot, rank) => {
        const position = positions[slot] ?? 0
        if (accepts(position)) ranks[position] = rank
      })
    }
    return closestNames(tools, ranks, typed).slice(0, limit)
  }

  async prepare(
    tools: readonly SearchableTool[],
    answer: 'search' | 'suggest',
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted()
    this.#index.moveTo(tools)
    for (const segment of this.#index.segments.filter((one) => !one.isReadFor(answer))) {
      await setImmediate()
      signal?.throwIfAborted()
      segment.readFor(answer)
    }
  }

  #collect({ size, positions }: Segment, accepts: AcceptPosition): void {
    for (let slot = 0; slot < size; slot++) {
      const score = this.#relevance.of(slot)
      const tier = this.#tiers[slot] || (score > 0 ? RELEVANT : NONE)
      const position = positions[slot] ?? 0
      if (tier !== NONE && accepts(position)) this.#matches.add(position, tier, score)
    }
  }

  /** Sets the tier of each slot; from the last tier to the first, so that the best one stays. */
  #setTiers({ exactNames, names, descriptions }: SegmentTexts, typed: TypedName, needle: ScanNeedle): void {
    const tiers = this.#tiers.fill(NONE)
    const put = (tier: Tier) => (slot: number) => {
      tiers[slot] = tier
    }
    descriptions.forEachContaining(needle, put(DESCRIPTION_CONTAINS))
    names.forEachContaining(needle, put(NAME_CONTAINS))
    exactNames.forEach(typed, (slot, exactness) => put(EXACT_TIERS[exactness])(slot))
  }
}
