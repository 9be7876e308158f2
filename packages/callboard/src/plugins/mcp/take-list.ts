/** Makes the list that a server gave the list that is known of it. */
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
}

/** A list that is not whole takes no known tool away. Answers whether anything changed. */
export function takeList(
  known: KnownTools,
  { entries, incomplete }: ListedTools,
  { pluginId, checkHeaders, eras }: TakeListOptions,
): boolean {
  const before = known.tools.map(({ listed }): JsonObject => ({ ...listed }))
  const whole = incomplete === undefined ? entries : withKnown(entries, before)
  const { tools, reports } = mapTools(whole, { pluginId, checkHeaders })
  const kept = incomplete && `plugin "${pluginId}": ${incomplete}; the tools known before are kept`
  return known.take(tools, kept === undefined ? reports : [kept, ...reports], eras.hints)
}
