/** Makes the list that a server gave the list that is known of it. */
import { inTurns } from '../in-turns.ts'
import type { KnownTools, TakeOptions } from '../known-tools.ts'
import type { EraMemory } from './era-memory.ts'
import { type ListedTools, withKnown } from './list-tools.ts'
import type { JsonObject } from './messages.ts'
import { mapTools } from './tool-mapping.ts'

export interface TakeListOptions extends TakeOptions {
  readonly pluginId: string
  /** Whether headers repeat arguments on the way to this server. */
  readonly checkHeaders: boolean
  readonly eras: EraMemory
}

/**
 * A list that is not whole takes no known tool away. Works a little at a time. Answers whether anything changed.
 */
export async function takeList(
  known: KnownTools,
  { entries, incomplete }: ListedTools,
  { pluginId, checkHeaders, eras, signal, onStep }: TakeListOptions,
): Promise<boolean> {
  const whole = incomplete === undefined ? entries : withKnown(entries, known.tools.map(listedAs))
  // Those of an earlier run may have been made by another version.
  const made = known.isOfThisRun ? known.tools : []
  const { tools, reports } = await inTurns(mapTools(whole, { pluginId, checkHeaders, made }), signal)
  const kept = incomplete && `plugin "${pluginId}": ${incomplete}; the tools known before are kept`
  const all = kept === undefined ? reports : [kept, ...reports]
  return await known.take({ tools, reports: all, hints: eras.hints }, { signal, onStep })
}

function listedAs({ listed }: KnownTools['tools'][number]): JsonObject {
  return { ...listed }
}
