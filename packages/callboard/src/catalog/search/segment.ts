/** A few tools of a catalogue and all that a search must know of them, read when it is first needed. */
import { CloseNames } from './close-names.ts'
import { ExactNames } from './exact-names.ts'
import type { FieldLengths } from './field-lengths.ts'
import { buildPostings, dropSlots, type Postings } from './postings.ts'
import { SEARCH_FIELDS, type SearchableTool } from './searchable-tool.ts'
import { TextScan } from './text-scan.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sizes of the signatures by which texts are passed over, for names of some thirty letters and descriptions of some two hundred. */
const NAME_BITS = 128
const DESCRIPTION_BITS = 512

/** What is counted over all segments together. */
export interface Totals {
  readonly vocabulary: Vocabulary
  readonly lengths: FieldLengths
}

/** What a search looks at. */
export interface SegmentTexts {
  readonly exactNames: ExactNames
  readonly names: TextScan
  readonly descriptions: TextScan
  readonly postings: Postings
}

/** Tools have slots in it, which they keep. A slot whose tool was removed stays empty. */
export class Segment {
  /** By slot: the position of the tool in the list that is searched. Whoever moves tools sets it. */
  readonly positions: Uint32Array
  readonly #tools: (SearchableTool | undefined)[]
  readonly #totals: Totals
  #live: number
  #texts: SegmentTexts | undefined
  #closeNames: CloseNames | undefined

  /** @param tools its own from then on */
  constructor(tools: SearchableTool[], totals: Totals) {
    this.#tools = tools
    this.positions = new Uint32Array(tools.length)
    this.#totals = totals
    this.#live = tools.length
  }

  /** By slot. */
  get tools(): readonly (SearchableTool | undefined)[] {
    return this.#tools
  }

  /** How many tools it has. */
  get live(): number {
    return this.#live
  }

  /** How many tools it began with. */
  get size(): number {
    return this.#tools.length
  }

  isReadFor(answer: 'search' | 'suggest'): boolean {
    return (answer === 'search' ? this.#texts : this.#closeNames) !== undefined
  }

  readFor(answer: 'search' | 'suggest'): void {
    if (answer === 'search') this.#texts ??= this.#readAll()
    else this.#closeNames ??= new CloseNames(this.#tools)
  }

  /** What a search looks at, read if it was not; from then on the totals count these tools. */
  get texts(): SegmentTexts {
    this.#texts ??= this.#readAll()
    return this.#texts
  }

  /** What a suggestion looks at, read if it was not. */
  get closeNames(): CloseNames {
    this.#closeNames ??= new CloseNames(this.#tools)
    return this.#closeNames
  }

  /** Empties slots that have a tool. */
  remove(slots: readonly number[]): void {
    const leaving = new Set(slots)
    for (const slot of leaving) this.#tools[slot] = undefined
    this.#live -= leaving.size
    if (this.#texts === undefined) return
    const { vocabulary, lengths } = this.#totals
    const { postings, names, descriptions } = this.#texts
    dropSlots(
      postings,
      (slot) => leaving.has(slot),
      (term, tools) => vocabulary.count(term, -tools),
    )
    for (const slot of leaving) {
      names.forget(slot)
      descriptions.forget(slot)
      lengths.count(lengthsOf(postings, slot), -1)
    }
  }

  /** Takes everything that it counts out of the totals; it is empty then, and stays so. */
  release(): void {
    this.remove([...this.#tools.keys()].filter((slot) => this.#tools[slot] !== undefined))
    for (const term of this.#texts?.postings.terms ?? []) this.#totals.vocabulary.release(term)
  }

  #readAll(): SegmentTexts {
    const { vocabulary, lengths } = this.#totals
    // An empty slot is read as no tool at all, so that the slots stay as they are.
    const there = this.#tools.map((tool) => tool ?? NO_TOOL)
    const postings = buildPostings(there, vocabulary)
    for (const [i, term] of postings.terms.entries()) {
      vocabulary.count(term, (postings.starts[i + 1] ?? 0) - (postings.starts[i] ?? 0))
    }
    for (const slot of there.keys()) lengths.count(lengthsOf(postings, slot), 1)
    return {
      exactNames: new ExactNames(this.#tools),
      names: new TextScan(
        there.map(({ entry }) => entry.name),
        NAME_BITS,
      ),
      descriptions: new TextScan(
        there.map(({ entry }) => entry.description),
        DESCRIPTION_BITS,
      ),
      postings,
    }
  }
}

const NO_TOOL: SearchableTool = {
  entry: {
    name: '',
    description: '',
    pluginId: '',
    category: 'tool',
    providers: [],
    namespacedName: '',
    declaredName: '',
  },
  definition: { package: '', name: '', action: '' },
}

function lengthsOf({ lengths }: Postings, slot: number): Uint16Array {
  return lengths.subarray(slot * SEARCH_FIELDS.length, (slot + 1) * SEARCH_FIELDS.length)
}
