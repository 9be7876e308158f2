/** The tools of a snapshot that are in one view. */
import { type CatalogTool, narrowedTool } from './catalog-tool.ts'
import { editsBetween } from './list-edits.ts'
import type { SearchScope } from './search/search-index.ts'
import { wholeScope } from './search/whole-scope.ts'
import type { CatalogSnapshot } from './snapshot.ts'
import type { SortedList } from './sorted-list.ts'
import { ListChanges, sortedTools, ToolLists } from './tool-lists.ts'

/** Its positions are those of `searched`. */
export interface Selection extends SearchScope {
  readonly lists: ToolLists<CatalogTool>
  /** What is searched: the snapshot's list, in which a tool is as it was selected where that is only a part of it. */
  readonly searched: SortedList<CatalogTool>
}

type Accept = (tool: CatalogTool) => boolean

/** What was selected for the same question before, and from which list. */
interface Selected {
  readonly from: SortedList<CatalogTool>
  readonly lists: ToolLists<CatalogTool>
  /** The tools of which some providers alone were accepted: each is another tool in the view than in the snapshot. */
  readonly parts: SortedList<CatalogTool>
}

const lastSelected = new WeakMap<Accept, Selected>()

/** Everything, in the snapshot's own lists. */
export function selectAll({ lists, tools }: CatalogSnapshot): Selection {
  return { lists, searched: tools, ...wholeScope(tools.length) }
}

/**
 * What `accept` accepts; it is asked once about each tool. For the same function it is not asked again about the tools
 * of the last snapshot that are still there, and the lists are made from the last ones.
 */
export function selectAccepted(snapshot: CatalogSnapshot, accept: Accept): Selection {
  const last = lastSelected.get(accept)
  const selected = (last && selectFromLast(last, snapshot, accept)) ?? selectFromAll(snapshot, accept)
  lastSelected.set(accept, selected)
  return new AcceptedTools(selected, accept)
}

class AcceptedTools implements Selection {
  readonly lists: ToolLists<CatalogTool>
  readonly searched: SortedList<CatalogTool>
  readonly #accept: Accept
  #marks: Uint8Array | undefined

  constructor({ from, lists, parts }: Selected, accept: Accept) {
    this.lists = lists
    this.searched = from.with(new Map(Array.from(parts, (part) => [part.entry.name, part])))
    this.#accept = accept
  }

  get size(): number {
    return this.lists.tools.length
  }

  get isWhole(): boolean {
    return this.size === this.searched.length
  }

  has(position: number): boolean {
    this.#marks ??= marksOf(this, this.#accept)
    return this.#marks[position] === 1
  }
}

/** By position of what is searched: 1 for a tool of the view. */
type Marks = Uint8Array

const lastMarked = new WeakMap<Accept, { readonly searched: SortedList<CatalogTool>; readonly marks: Marks }>()

/** Worked out for the first search of a view alone: it takes a byte a tool, and those of the last one are copied. */
function marksOf({ lists, searched }: Selection, accept: Accept): Marks {
  const last = lastMarked.get(accept) ?? { searched: sortedTools<CatalogTool>([]), marks: new Uint8Array() }
  const marks = new Uint8Array(searched.length)
  let from = 0
  let at = 0
  for (const { kept, removed, added } of editsBetween(last.searched, searched)) {
    marks.set(last.marks.subarray(from, from + kept), at)
    from += kept + removed
    at += kept
    const news = searched.slice(at, at + added)
    let place = lists.tools.placeOf(news[0]?.entry.name ?? '')
    for (const tool of news) {
      const isIn = lists.tools.at(place) === tool
      if (isIn) place++
      marks[at++] = Number(isIn)
    }
  }
  lastMarked.set(accept, { searched, marks })
  return marks
}

const narrowed = new WeakMap<Accept, WeakMap<CatalogTool, CatalogTool>>()

/**
 * What `accept` accepts of one tool. It is the same object every time, so that lists can be derived from one another.
 */
export function selectFrom(tool: CatalogTool, accept: Accept): CatalogTool | undefined {
  if (tool.offers === undefined) return accept(tool) ? tool : undefined
  const known = narrowed.get(accept) ?? new WeakMap<CatalogTool, CatalogTool>()
  narrowed.set(accept, known)
  const selected = known.get(tool) ?? narrowedTool(tool, accept)
  if (selected !== undefined) known.set(tool, selected)
  return selected
}

function selectFromAll(snapshot: CatalogSnapshot, accept: Accept): Selected {
  const tools: CatalogTool[] = []
  const parts: CatalogTool[] = []
  for (const chunk of snapshot.tools.chunks) {
    for (const tool of chunk) {
      const selected = selectFrom(tool, accept)
      if (selected !== undefined) tools.push(selected)
      if (selected !== undefined && selected !== tool) parts.push(selected)
    }
  }
  return selectedIn(snapshot, ToolLists.of(tools), sortedTools(parts))
}

/** Lists of everything are there already, and shared. */
function selectedIn(
  { lists: all, tools: from }: CatalogSnapshot,
  lists: ToolLists<CatalogTool>,
  parts: SortedList<CatalogTool>,
): Selected {
  const isEverything = parts.length === 0 && lists.tools.length === from.length
  return { from, lists: isEverything ? all : lists, parts }
}

/** Nothing where so much changed that it is quicker to begin anew. */
function selectFromLast(last: Selected, snapshot: CatalogSnapshot, accept: Accept): Selected | undefined {
  const edits = editsBetween(last.from, snapshot.tools)
  const news = edits.reduce((sum, { removed, added }) => sum + removed + added, 0)
  if (news * 2 > snapshot.tools.length) return undefined
  const changes = new ListChanges<CatalogTool>()
  const parts = new Map<string, CatalogTool | undefined>()
  let from = 0
  let at = 0
  for (const { kept, removed, added } of edits) {
    from += kept
    at += kept
    // One that was not accepted is in none of the lists, and taken out of them all the same.
    for (const tool of last.from.slice(from, from + removed)) {
      changes.remove(tool)
      if (tool.offers !== undefined) parts.set(tool.entry.name, undefined)
    }
    for (const tool of snapshot.tools.slice(at, at + added)) {
      const selected = selectFrom(tool, accept)
      if (selected !== undefined) changes.put(selected)
      if (selected !== undefined && selected !== tool) parts.set(tool.entry.name, selected)
    }
    from += removed
    at += added
  }
  return selectedIn(snapshot, last.lists.with(changes), last.parts.with(parts))
}
