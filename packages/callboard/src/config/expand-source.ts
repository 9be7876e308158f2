/** Expands a whole config, with what was settled of it before. */
import { isObject } from '../is-object.ts'
import type { ConfigSource } from './config-source.ts'
import { expandTree } from './expand-tree.ts'
import type { SettledSource } from './settle-source.ts'
import type { SourceEntry } from './source-node.ts'

/** A config's plain values, and the data folder that they settle. */
export interface ExpandedConfig {
  readonly values: Readonly<Record<string, unknown>>
  /** Absolute. */
  readonly dataDir: string
}

/** What is wrong is added to the source's problems. */
export function expandSource({ root }: ConfigSource, { scope, dataDir, values }: SettledSource): ExpandedConfig {
  const rest = { ...root, entries: root.entries.map(withoutSettled) }
  const expanded = expandTree(rest, [], scope)
  return { values: { ...(isObject(expanded) ? expanded : {}), ...values }, dataDir }
}

// The key stays, so that one that stands twice is still found.
function withoutSettled(entry: SourceEntry): SourceEntry {
  if (entry.key !== 'envFile' && entry.key !== 'dataDir') return entry
  return { ...entry, value: { kind: 'scalar', start: entry.value.start, end: entry.value.end, value: null } }
}
