/** Makes the list that a server gave the list that is known of it. */
import { inTurns } from '../in-turns.ts'
import type { KnownTools } from '../known-tools.ts'
import type { EraMemory } from './era-memory.ts'
import { type ListedTools, withKnown } from './list-tools.ts'
import type { JsonObject } from './messages.ts'
import { mapTools } from './tool-mapping.ts'

export interface TakeListOptions {
  readonly pluginId: string
  /** Whether headers repeat arguments on the way to this server. */
  readonly checkHeaders: boolean
  readonly eras: EraMemory
  /** Ends the work, whose reason it rejects with; what was known stays then. */
  readonly signal: AbortSignal
}

/**
 * A list that is not whole takes no known tool away. Works a little at a time; the list is taken in one step at the end.
 * Answers whether anything changed.
 */
export async function takeList(
  known: KnownTools,
  { entries, incomplete }: ListedTools,
  { pluginId, checkHeaders, eras, signal }: TakeListOptions,
): Promise<boolean> {
  const whole = incomplete === undefined ? entries : withKnown(entries, known.tools.map(listedAs))
  // Those of an earlier run may have been made by another version.
  const made = known.isOfThisRun ? known.tools : []
  const { tools, reports } = await inTurns(mapTools(whole, { pluginId, checkHeaders, made }), signal)
  const kept = incomplete && `plugin "${pluginId}": ${incomplete}; the tools known before are kept`
  return await known.take(
    { tools, reports: kept === undefined ? reports : [kept, ...reports], hints: eras.hints },
    signal,
  )
}

function listedAs({ listed }: KnownTools['tools'][number]): JsonObject {
  return { ...listed }
}
