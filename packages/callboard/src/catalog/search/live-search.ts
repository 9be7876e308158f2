/**
 * Searches any of the lists of tools that follow one another, reading of each only what the one before did not have.
 */
import { setImmediate } from 'node:timers/promises'
import type { SortedList } from '../sorted-list.ts'
import { type AskedWord, askedWords } from './asked-words.ts'
import { BestMatches, type Match, type Tier } from './best-matches.ts'
import { closestNames, typedLetters } from './close-names.ts'
import { CloserLook, marksFor } from './closer-look.ts'
import { type Exactness, typedName } from './exact-names.ts'
import { Frequencies } from './frequencies.ts'
import { bytes, grown } from './grown.ts'
import { type Answer, LiveIndex, NOWHERE } from './live-index.ts'
import { Meanings } from './meanings.ts'
import { type QueryWords, queryWords } from './query-words.ts'
import { Relevance } from './relevance.ts'
import type { AcceptPosition, SearchMatches, SearchRequest } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { scanNeedle } from './text-scan.ts'
import { shippedWordVectors, type WordVectors } from './word-vectors.ts'

const EXACT_TIERS: Readonly<Record<Exactness, Tier>> = { literal: 1, alike: 2, otherLiteral: 3, otherAlike: 4 }
const NAME_CONTAINS: Tier = 5
const DESCRIPTION_CONTAINS: Tier = 6
const RELEVANT: Tier = 7
const NONE = 0
/** So many of the best are looked at more closely, always the same ones whatever page of them is wanted. */
const LOOKED_AT = 100

export interface LiveSearchOptions {
  /** As for `LiveIndex`. */
  readonly leastSwept?: number
  /** What words mean, asked for at the first search; left out, the vectors that come with this package. */
  readonly vectors?: () => WordVectors | undefined
}

/**
 * Every answer is that of the list which is asked about, whatever was asked about before; going to and fro between
 * lists costs what differs between them. The lists are sorted by public name; the methods are those of `SearchIndex`.
 */
export class LiveSearch {
  readonly #index: LiveIndex
  readonly #relevance = new Relevance()
  /** By slot: the tier by what the texts of its tool contain. Kept, like the marks, from search to search. */
  #tiers = bytes(0)
  #marks: Uint16Array = new Uint16Array()

  readonly #vectors: () => WordVectors | undefined
  /** Undefined before the first search. */
  #known: { readonly meanings: Meanings | undefined } | undefined

  constructor({ leastSwept, vectors = () => shippedWordVectors().vectors }: LiveSearchOptions = {}) {
    this.#index = new LiveIndex(leastSwept)
    this.#vectors = vectors
  }

  search(tools: SortedList<SearchableTool>, request: SearchRequest): SearchMatches {
    const typed = request.query.trim()
    if (typed === '') return { tools: [], total: 0, likeness: 0 }
    this.#index.moveTo(tools)
    this.#index.readFor('search')
    const { words } = this.#index.texts
    const query = queryWords(typed)
    const { scope, most } = request
    const counts = { frequencies: new Frequencies(this.#index, scope), tools: scope.size }
    const asked = askedWords(query, words.vocabulary, counts)
    this.#relevance.find(asked, words, this.#index.tools.length)
    this.#setTiers(typed)
    const best = new BestMatches(Math.max(most, LOOKED_AT), this.#relevance.largest)
    const total = this.#collect(request, best)
    const matches = best.sorted()
    const { first, likeness } = this.#lookCloser(matches.slice(0, LOOKED_AT), query, asked)
    return { tools: this.#toolsOf([...first, ...matches.slice(LOOKED_AT, most)].slice(0, most)), total, likeness }
  }

  suggest(
    tools: SortedList<SearchableTool>,
    name: string,
    limit: number,
    accepts: AcceptPosition,
  ): readonly SearchableTool[] {
    const typed = typedLetters(name.trim())
    if (typed === undefined || !(limit > 0)) return []
    this.#index.moveTo(tools)
    this.#index.readFor('suggest')
    const ranks = new Uint8Array(tools.length)
    const { closeNames } = this.#index
    for (let position = 0; position < tools.length; position++) {
      if (accepts(position)) ranks[position] = closeNames.rank(this.#index.slotAt(position), typed)
    }
    return closestNames(tools, ranks, typed).slice(0, limit)
  }

  async prepare(tools: SortedList<SearchableTool>, answer: Answer, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.#index.moveTo(tools)
    while (this.#index.needs(answer)) {
      await setImmediate()
      signal?.throwIfAborted()
      this.#index.readSome(answer)
    }
  }

  /** Sets the tier of each slot; from the last tier to the first, so that the best one stays. */
  #setTiers(typed: string): void {
    const { tools, texts } = this.#index
    this.#tiers = grown(this.#tiers, tools.length, bytes).fill(NONE)
    const tiers = this.#tiers
    const put = (tier: Tier) => (slot: number) => {
      tiers[slot] = tier
    }
    const name = typedName(typed)
    const needle = scanNeedle(name.lowerCase)
    texts.descriptions.forEachContaining(needle, put(DESCRIPTION_CONTAINS))
    texts.names.forEachContaining(needle, put(NAME_CONTAINS))
    texts.exactNames.forEach(name, tools, (slot, exactness) => put(EXACT_TIERS[exactness])(slot))
  }

  /** Adds every match and says how many there are. */
  #collect({ scope, accepts }: SearchRequest, best: BestMatches): number {
    if (scope.isWhole && !accepts) return this.#collectAll(best)
    const { positions, tools } = this.#index
    const { scores } = this.#relevance
    const tiers = this.#tiers
    let total = 0
    for (let slot = 0; slot < tools.length; slot++) {
      const score = scores[slot] ?? 0
      const tier = tiers[slot] || (score > 0 ? RELEVANT : NONE)
      if (tier === NONE) continue
      const position = positions[slot] ?? NOWHERE
      const tool = tools[slot]
      if (!tool || !(scope.isWhole || scope.has(position)) || accepts?.(tool) === false) continue
      total++
      best.add(position, tier, score)
    }
    return total
  }

  /**
   * The same where all are wanted. Most are counted without a branch: which tools match is nothing a processor could
   * foresee.
   */
  #collectAll(best: BestMatches): number {
    const { positions, tools } = this.#index
    const { scores, scoreBits } = this.#relevance
    const tiers = this.#tiers
    let least = best.leastScore(RELEVANT)
    let total = 0
    for (let slot = 0; slot < tools.length; slot++) {
      const score = scores[slot] ?? 0
      const tier = tiers[slot] ?? NONE
      const position = positions[slot] ?? NOWHERE
      // Both are 0 for no; the sign of a number or of its negative says whether it is 0.
      const isMatch = (scoreBits[slot] ?? 0) | tier
      const isThere = ~position
      total += (-isMatch & (isThere | -isThere)) >>> 31
      if ((tier === NONE && score < least) || isThere === 0) continue
      best.add(position, tier || RELEVANT, score)
      least = best.leastScore(RELEVANT)
    }
    return total
  }

  #toolsOf(matches: readonly Match[]): readonly SearchableTool[] {
    const found: SearchableTool[] = []
    for (const { position } of matches) {
      const tool = this.#index.tools[this.#index.slotAt(position)]
      if (tool) found.push(tool)
    }
    return found
  }

  #meanings(): Meanings | undefined {
    if (!this.#known) {
      const vectors = this.#vectors()
      this.#known = { meanings: vectors && new Meanings(vectors, this.#index.texts.words) }
    }
    return this.#known.meanings
  }

  #lookCloser(
    matches: readonly Match[],
    { clauses }: QueryWords,
    asked: readonly AskedWord[],
  ): { readonly first: readonly Match[]; readonly likeness: number } {
    const { words } = this.#index.texts
    this.#marks = marksFor(words.vocabulary.stems, this.#marks)
    const look = new CloserLook(asked, clauses, { index: words, meanings: this.#meanings(), marks: this.#marks })
    const seen = matches.flatMap((match) => {
      const slot = this.#index.slotAt(match.position)
      const tool = this.#index.tools[slot]
      return tool ? [{ ...match, ...look.at(slot, tool) }] : []
    })
    look.close()
    seen.sort((a, b) => a.tier - b.tier || b.score - a.score || a.position - b.position)
    const best = seen[0]
    return { first: seen, likeness: best === undefined ? 0 : best.tier < RELEVANT ? 1 : best.likeness }
  }
}
