/** The tools of a snapshot that are in one view. */
import { type CatalogTool, narrowedTool } from './catalog-tool.ts'
import { editsBetween } from './list-edits.ts'
import type { SearchScope } from './search/search-index.ts'
import { wholeScope } from './search/whole-scope.ts'
import type { CatalogSnapshot } from './snapshot.ts'
import { ListChanges, ToolLists } from './tool-lists.ts'

export interface Selection extends SearchScope {
  readonly lists: ToolLists<CatalogTool>
  /** What is searched: the snapshot's list, in which a tool is as it was selected where that is only a part of it. */
  readonly searched: readonly CatalogTool[]
  /** The tool at this position of the snapshot's list, or what is selected of it; undefined when nothing is. */
  at(position: number): CatalogTool | undefined
}

type Accept = (tool: CatalogTool) => boolean

/** What was selected for the same question before, and from which list. */
interface Selected {
  readonly from: readonly CatalogTool[]
  readonly lists: ToolLists<CatalogTool>
  /** What was said of the tool at each position. */
  readonly accepted: Uint8Array
}

/** A tool of which some providers alone were accepted is another tool in the view than in the snapshot. */
const ANSWERS = { none: 0, whole: 1, part: 2 } as const

const lastSelected = new WeakMap<Accept, Selected>()

/** Everything, in the snapshot's own lists. */
export function selectAll(snapshot: CatalogSnapshot): Selection {
  const { lists, tools } = snapshot
  return { lists, searched: tools, ...wholeScope(tools.length), at: (position) => tools[position] }
}

/**
 * What `accept` accepts; it is asked once about each tool. For the same function it is not asked again about the tools
 * of the last snapshot that are still there, and the lists are made from the last ones.
 */
export function selectAccepted(snapshot: CatalogSnapshot, accept: Accept): Selection {
  const last = lastSelected.get(accept)
  const { lists, accepted } = (last && selectFromLast(last, snapshot, accept)) ?? selectFromAll(snapshot, accept)
  lastSelected.set(accept, { from: snapshot.tools, lists, accepted })
  const size = lists.tools.length
  const at = (position: number): CatalogTool | undefined => {
    const tool = accepted[position] === ANSWERS.none ? undefined : snapshot.tools[position]
    return tool && accepted[position] === ANSWERS.part ? selectFrom(tool, accept) : tool
  }
  const isPartial = accepted.includes(ANSWERS.part)
  return {
    lists,
    searched: isPartial ? snapshot.tools.map((tool, position) => at(position) ?? tool) : snapshot.tools,
    size,
    isWhole: size === accepted.length,
    has: (position) => accepted[position] !== ANSWERS.none,
    at,
  }
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

function answerOf(tool: CatalogTool, selected: CatalogTool | undefined): number {
  if (selected === undefined) return ANSWERS.none
  return selected === tool ? ANSWERS.whole : ANSWERS.part
}

function isEverything(accepted: Uint8Array): boolean {
  return !accepted.includes(ANSWERS.none) && !accepted.includes(ANSWERS.part)
}

type Answers = Pick<Selected, 'lists' | 'accepted'>

function selectFromAll(snapshot: CatalogSnapshot, accept: Accept): Answers {
  const accepted = new Uint8Array(snapshot.tools.length)
  const tools: CatalogTool[] = []
  snapshot.tools.forEach((tool, position) => {
    const selected = selectFrom(tool, accept)
    accepted[position] = answerOf(tool, selected)
    if (selected !== undefined) tools.push(selected)
  })
  // Lists of everything are there already.
  return { accepted, lists: isEverything(accepted) ? snapshot.lists : ToolLists.of(tools) }
}

/** Nothing where so much changed that it is quicker to begin anew. */
function selectFromLast(last: Selected, snapshot: CatalogSnapshot, accept: Accept): Answers | undefined {
  const edits = editsBetween(last.from, snapshot.tools)
  const news = edits.reduce((sum, { removed, added }) => sum + removed + added, 0)
  if (news * 2 > snapshot.tools.length) return undefined
  const accepted = new Uint8Array(snapshot.tools.length)
  const changes = new ListChanges<CatalogTool>()
  let from = 0
  let at = 0
  for (const { kept, removed, added } of edits) {
    accepted.set(last.accepted.subarray(from, from + kept), at)
    from += kept
    at += kept
    for (const end = from + removed; from < end; from++) {
      const tool = last.from[from]
      if (!tool || last.accepted[from] === ANSWERS.none) continue
      changes.remove(last.accepted[from] === ANSWERS.part ? (selectFrom(tool, accept) ?? tool) : tool)
    }
    for (const end = at + added; at < end; at++) {
      const tool = snapshot.tools[at]
      const selected = tool && selectFrom(tool, accept)
      if (!selected) continue
      accepted[at] = answerOf(tool, selected)
      changes.put(selected)
    }
  }
  if (isEverything(accepted)) return { accepted, lists: snapshot.lists }
  return { accepted, lists: changes.byName.size === 0 ? last.lists : last.lists.with(changes) }
}
