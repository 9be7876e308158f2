/** What is known of the tools of a catalogue: follows a list of tools wherever it goes, at the cost of what differs. */
import { editsBetween } from '../list-edits.ts'
import type { SortedList } from '../sorted-list.ts'
import { sortedTools } from '../tool-lists.ts'
import { CloseNames } from './close-names.ts'
import { bytes, grown, integers } from './grown.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { ToolTexts } from './tool-texts.ts'

/** Tools that are read in one go before others have their turn: some milliseconds' worth. */
const STEP = 128
/** The position of a slot that has no tool. */
export const NOWHERE: number = 0xffffffff
/** Slots that lost their tool are made free for others when there are so many, or as large a part of all. */
const LEAST_SWEPT = 256
const SWEPT_PART = 1 / 8

/** What an index can be asked for; each needs something else of the tools to be read. */
export type Answer = 'search' | 'suggest'
const ANSWERS: readonly Answer[] = ['search', 'suggest']

const UNKNOWN = 0
const QUEUED = 1
const READ = 2

/**
 * Each tool has a slot for as long as it is in the list. It is read when an answer first needs it. What is left of
 * tools that went is swept up once they are an eighth of all, so that a sweep, which passes over the whole index, costs
 * each of them little.
 */
export class LiveIndex {
  readonly texts: ToolTexts = new ToolTexts()
  readonly closeNames: CloseNames = new CloseNames()
  /** By slot. */
  readonly tools: (SearchableTool | undefined)[] = []
  /** Slots whose tool is to be read, each once. */
  readonly #unread: Record<Answer, number[]> = { search: [], suggest: [] }
  /** By slot. */
  readonly #states: Record<Answer, Uint8Array<ArrayBuffer>> = { search: bytes(0), suggest: bytes(0) }
  #list: SortedList<SearchableTool> = sortedTools<SearchableTool>([])
  /** By position in `#list`: the slot; what is behind means nothing. */
  #slots = integers(0)
  /** Another array for `#slots`, so that a move leaves nothing to the garbage collector. */
  #spareSlots = integers(0)
  /** By slot: the position, or `NOWHERE`. */
  #positions = integers(0)
  #free: number[] = []
  readonly #leastSwept: number
  readonly #leaving: number[] = []

  /** The slot of the tool at this position of the list. */
  slotAt(position: number): number {
    return this.#slots[position] ?? 0
  }

  /** By slot: the position of the tool in the list, or `NOWHERE`. */
  get positions(): Uint32Array {
    return this.#positions
  }

  /** Makes it that of another list, sorted by public name. */
  moveTo(list: SortedList<SearchableTool>): void {
    if (list === this.#list) return
    const [before, slots] = [this.#slots, grown(this.#spareSlots, list.length, integers)]
    const added: number[] = []
    let from = 0
    let at = 0
    for (const { kept, removed, added: coming } of editsBetween(this.#list, list)) {
      slots.set(before.subarray(from, from + kept), at)
      if (at !== from) for (let i = at; i < at + kept; i++) this.#positions[slots[i] ?? 0] = i
      from += kept
      at += kept
      for (const end = from + removed; from < end; from++) this.#remove(before[from] ?? 0)
      for (const end = at + coming; at < end; at++) added.push(at)
    }
    if (this.#leaving.length >= Math.max(this.#leastSwept, list.length * SWEPT_PART)) this.#sweep()
    for (const position of added) slots[position] = this.#add(list.at(position), position)
    this.#list = list
    this.#slots = slots
    this.#spareSlots = before
  }

  /** @param leastSwept slots that have lost their tool at least before they are swept up */
  constructor(leastSwept: number = LEAST_SWEPT) {
    this.#leastSwept = leastSwept
  }

  /** Whether there are tools that the answer needs to have read. */
  needs(answer: Answer): boolean {
    return this.#unread[answer].length > 0
  }

  /** Reads what the answer needs, all at once. */
  readFor(answer: Answer): void {
    while (this.needs(answer)) this.readSome(answer)
  }

  /** Reads a few of the tools that the answer needs. */
  readSome(answer: Answer): void {
    const unread = this.#unread[answer]
    const states = this.#states[answer]
    for (const slot of unread.splice(-STEP)) {
      const tool = this.tools[slot]
      states[slot] = tool ? READ : UNKNOWN
      if (!tool) continue
      if (answer === 'search') this.texts.add(slot, tool)
      else this.closeNames.set(slot, tool)
    }
  }

  #add(tool: SearchableTool | undefined, position: number): number {
    const slot = this.#free.pop() ?? this.tools.length
    this.tools[slot] = tool
    this.#positions = grown(this.#positions, slot + 1, nowhere)
    this.#positions[slot] = position
    for (const answer of ANSWERS) {
      const states = grown(this.#states[answer], slot + 1, bytes)
      this.#states[answer] = states
      if (states[slot] !== QUEUED) this.#unread[answer].push(slot)
      states[slot] = QUEUED
    }
    return slot
  }

  #remove(slot: number): void {
    this.tools[slot] = undefined
    this.#positions[slot] = NOWHERE
    this.#leaving.push(slot)
    if (this.#states.search[slot] === READ) this.texts.remove(slot)
    for (const answer of ANSWERS) if (this.#states[answer][slot] === READ) this.#states[answer][slot] = UNKNOWN
  }

  #sweep(): void {
    this.texts.sweep((slot) => this.tools[slot] === undefined)
    this.#free = this.#free.concat(this.#leaving.splice(0))
  }
}

function nowhere(length: number): Uint32Array<ArrayBuffer> {
  return integers(length).fill(NOWHERE)
}
