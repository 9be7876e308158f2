/** The tools of a catalogue in segments: follows a list of tools wherever it goes, at the cost of what differs. */
import { editsBetween } from '../list-edits.ts'
import { FieldLengths } from './field-lengths.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { Segment, type Totals } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * Tools at most in a segment. Larger ones would make a single step of reading long (this many take some 5 ms), smaller ones
 * would have a search look a word up more often.
 */
export const SEGMENT_SIZE: number = 256
/** The place of a tool that is in no segment yet. */
const NOWHERE = 0xffffffff

/**
 * Each tool has a place, a segment and a slot in it, for as long as it is in the list. New tools make new segments; small
 * segments join them, and so do those that have lost half of their tools, so that there are few segments and few empty
 * slots. A tool is therefore read about as often as a segment's size has binary digits, at worst.
 */
export class LiveIndex {
  readonly totals: Totals = { vocabulary: new Vocabulary(), lengths: new FieldLengths() }
  /** By number; the numbers of segments that are gone are used again. */
  readonly #segments: (Segment | undefined)[] = []
  #tools: readonly SearchableTool[] = []
  /** By position in `#tools`: the number of the segment times its largest size, plus the slot. */
  #places = new Uint32Array()
  #isLocated = true
  readonly #size: number
  readonly #slotBits: number

  /** @param size of the largest segment, a power of two */
  constructor(size: number = SEGMENT_SIZE) {
    this.#size = size
    this.#slotBits = Math.log2(size)
  }

  /** In no particular order; `positions` is right in each. */
  get segments(): readonly Segment[] {
    if (!this.#isLocated) this.#locate()
    return this.#segments.filter((segment) => segment !== undefined)
  }

  /** Makes it that of another list, sorted by public name. Texts are read later, when they are first looked at. */
  moveTo(tools: readonly SearchableTool[]): void {
    if (tools === this.#tools) return
    const { places, fresh, emptied } = this.#follow(tools)
    for (const [segment, slots] of emptied) segment.remove(slots)
    this.#tools = tools
    this.#places = places
    this.#isLocated = false
    const leaving = this.#leaving(emptied.keys(), fresh.length)
    const moved = this.#positionsIn(leaving)
    this.#settle(moved.length === 0 ? fresh : [...fresh, ...moved].sort((a, b) => a - b))
    for (const segment of leaving) this.#drop(segment)
  }

  /** The places after a move, the positions that have none yet, and the slots that lose their tool. */
  #follow(tools: readonly SearchableTool[]): Moved {
    const places = new Uint32Array(tools.length)
    const fresh: number[] = []
    const emptied = new Map<Segment, number[]>()
    let from = 0
    let at = 0
    for (const { kept, removed, added } of editsBetween(this.#tools, tools)) {
      places.set(this.#places.subarray(from, from + kept), at)
      from += kept
      at += kept
      for (const end = from + removed; from < end; from++) this.#noteRemoval(this.#places[from] ?? 0, emptied)
      for (const end = at + added; at < end; at++) {
        places[at] = NOWHERE
        fresh.push(at)
      }
    }
    return { places, fresh, emptied }
  }

  #noteRemoval(place: number, emptied: Map<Segment, number[]>): void {
    const segment = this.#segments[place >>> this.#slotBits]
    if (!segment) return
    const slots = emptied.get(segment) ?? []
    slots.push(place & (this.#size - 1))
    emptied.set(segment, slots)
  }

  /** The segments whose tools join the new ones. */
  #leaving(emptied: Iterable<Segment>, fresh: number): ReadonlySet<Segment> {
    const leaving = new Set<Segment>()
    for (const segment of emptied) if (segment.live * 2 < segment.size) leaving.add(segment)
    let size = fresh
    for (const { live } of leaving) size += live
    // What fills segments of its own takes no others in.
    size %= this.#size
    const bySize = this.#segments.filter((segment) => segment !== undefined).sort((a, b) => a.live - b.live)
    for (const segment of bySize) {
      if (leaving.has(segment)) continue
      if (segment.live > size || segment.live + size > this.#size) break
      leaving.add(segment)
      size += segment.live
    }
    return leaving
  }

  #positionsIn(segments: ReadonlySet<Segment>): readonly number[] {
    if (segments.size === 0) return []
    const wanted = Uint8Array.from(this.#segments, (segment) => (segment && segments.has(segment) ? 1 : 0))
    const positions: number[] = []
    for (let position = 0; position < this.#places.length; position++) {
      if (wanted[(this.#places[position] ?? 0) >>> this.#slotBits] === 1) positions.push(position)
    }
    return positions
  }

  /** Gives the tools at these positions, which ascend, places in new segments. */
  #settle(positions: readonly number[]): void {
    for (let from = 0; from < positions.length; from += this.#size) {
      const free = this.#segments.indexOf(undefined)
      const number = free < 0 ? this.#segments.length : free
      const tools: SearchableTool[] = []
      for (const position of positions.slice(from, from + this.#size)) {
        const tool = this.#tools[position]
        if (!tool) continue
        this.#places[position] = number * this.#size + tools.length
        tools.push(tool)
      }
      this.#segments[number] = new Segment(tools, this.totals)
    }
  }

  #drop(segment: Segment): void {
    this.#segments[this.#segments.indexOf(segment)] = undefined
    segment.release()
  }

  #locate(): void {
    for (let position = 0; position < this.#places.length; position++) {
      const place = this.#places[position] ?? 0
      const segment = this.#segments[place >>> this.#slotBits]
      if (segment) segment.positions[place & (this.#size - 1)] = position
    }
    this.#isLocated = true
  }
}

interface Moved {
  readonly places: Uint32Array<ArrayBuffer>
  readonly fresh: readonly number[]
  readonly emptied: ReadonlyMap<Segment, readonly number[]>
}
