/** The tools of a snapshot that are in one view. */
import { editsBetween } from './list-edits.ts'
import type { SearchScope } from './search/search-index.ts'
import { wholeScope } from './search/whole-scope.ts'
import type { CatalogSnapshot, CatalogTool } from './snapshot.ts'
import { ListChanges, ToolLists } from './tool-lists.ts'

export interface Selection extends SearchScope {
  readonly lists: ToolLists<CatalogTool>
}

type Accept = (tool: CatalogTool) => boolean

/** What was selected for the same question before, and from which list. */
interface Selected {
  readonly from: readonly CatalogTool[]
  readonly lists: ToolLists<CatalogTool>
  /** 1 at the position of each tool that was accepted. */
  readonly accepted: Uint8Array
}

const lastSelected = new WeakMap<Accept, Selected>()

/** Everything, in the snapshot's own lists. */
export function selectAll(snapshot: CatalogSnapshot): Selection {
  return { lists: snapshot.lists, ...wholeScope(snapshot.tools.length) }
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
  return { lists, size, isWhole: size === accepted.length, has: (position) => accepted[position] === 1 }
}

type Answers = Pick<Selected, 'lists' | 'accepted'>

function selectFromAll(snapshot: CatalogSnapshot, accept: Accept): Answers {
  const accepted = new Uint8Array(snapshot.tools.length)
  const tools = snapshot.tools.filter((tool, position) => {
    if (accept(tool)) accepted[position] = 1
    return accepted[position] === 1
  })
  // Lists of everything are there already.
  return { accepted, lists: tools.length === accepted.length ? snapshot.lists : ToolLists.of(tools) }
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
      if (tool && last.accepted[from] === 1) changes.remove(tool)
    }
    for (const end = at + added; at < end; at++) {
      const tool = snapshot.tools[at]
      if (!tool || !accept(tool)) continue
      accepted[at] = 1
      changes.put(tool)
    }
  }
  if (!accepted.includes(0)) return { accepted, lists: snapshot.lists }
  return { accepted, lists: changes.byName.size === 0 ? last.lists : last.lists.with(changes) }
}
