/** The value that a part of a document stands for. */
import type { SourceNode } from '../source-node.ts'

/** Plain data; of keys that stand twice the first one counts. No key sets a prototype. */
export function plainValue(node: SourceNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plainValue)
  const values = new Map<string, unknown>()
  for (const { key, value } of node.entries) if (!values.has(key)) values.set(key, plainValue(value))
  return Object.fromEntries(values)
}
