/** Lists of what has a name, users or roles: shown whole, or the one that was changed. */
import type { People } from '../../../host/people.ts'
import { type CommandContext, requireOwner, writeJson } from '../command-context.ts'
import { writeTable } from '../output/table.ts'

/** Where such a list comes from, and how it is written. */
export interface NamedList<Item extends { readonly name: string }> {
  /** The list's name in JSON. */
  readonly key: string
  readonly heads: readonly string[]
  readonly read: (people: People) => readonly Item[]
  /** A cell for each of `heads`. */
  readonly row: (item: Item) => readonly string[]
}

/** Shows all, to the owner alone. Returns the exit code. */
export function showAll<Item extends { readonly name: string }>(
  context: CommandContext,
  list: NamedList<Item>,
): number {
  requireOwner(context)
  return write(context, list, list.read(context.host.people))
}

/** Does something to the one of this name, for the owner alone, and shows it as it is then. Returns the exit code. */
export function showChanged<Item extends { readonly name: string }>(
  context: CommandContext,
  list: NamedList<Item>,
  { name, change }: { readonly name: string; readonly change: (people: People) => void },
): number {
  requireOwner(context)
  const { people } = context.host
  change(people)
  return write(
    context,
    list,
    list.read(people).filter((item) => item.name === name),
  )
}

function write<Item extends { readonly name: string }>(
  context: CommandContext,
  { key, heads, row }: NamedList<Item>,
  items: readonly Item[],
): number {
  if (context.json) writeJson(context, { [key]: items })
  else writeTable(context.terminal.stdout, items.map(row), { heads })
  return 0
}
