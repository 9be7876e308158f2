/** Refuses numbers that get lost in doubles, for whoever is given nothing else. */
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { CallboardError } from '../../errors.ts'
import { isSameInDoubles, isWritten } from '../../exact-json.ts'
import type { Gate } from '../../gate/gate.ts'
import type { Plugin } from '../../plugins/plugin.ts'
import { pathText } from '../../tools/schema/path-text.ts'
import { MAX_DEPTH } from './argument-check.ts'

/** Longer numbers are cut in messages. */
const SHOWN = 60

/** Who reads the arguments of a call. */
interface Readers {
  readonly gate: Pick<Gate, 'admits'>
  pluginOf(tool: CatalogTool): Pick<Plugin, 'passesWritten'> | undefined
}

/**
 * Throws `invalid_arguments` for the first number that is another one in doubles, as `isSameInDoubles` has it, unless
 * the plugin passes it on as written and no gate looks at it: who decides by the arguments must not be shown others
 * than the plugin gets.
 */
export function requireDoubles(written: Readonly<Record<string, unknown>>, tool: CatalogTool, readers: Readers): void {
  if (readers.gate.admits === undefined && readers.pluginOf(tool)?.passesWritten === true) return
  const lost = firstLost(written, 0)
  if (lost === undefined) return
  const number = lost.number.length > SHOWN ? `${lost.number.slice(0, SHOWN)}…` : lost.number
  throw new CallboardError(
    'invalid_arguments',
    `invalid arguments for ${JSON.stringify(tool.entry.name)}: ${pathText(lost.path)}: ${number} is too large to be passed on exactly; give it as a text`,
  )
}

interface Lost {
  /** The names on the way to it. */
  readonly path: readonly string[]
  readonly number: string
}

/** What is nested too deeply is refused for that, wherever its numbers go. */
function firstLost(value: unknown, depth: number): Lost | undefined {
  if (isWritten(value)) return isSameInDoubles(value.rawJSON) ? undefined : { path: [], number: value.rawJSON }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  for (const [name, part] of Object.entries(value)) {
    const lost = firstLost(part, depth + 1)
    // The path is made on the way back, since nearly every number has no need of one.
    if (lost !== undefined) return { ...lost, path: [name, ...lost.path] }
  }
  return undefined
}
