/** A parsed document as plain data that still knows where each part stands, whatever language it was written in. */

/** One value of the document. Offsets count UTF-16 code units of the text; -1 when there is no text. */
export type SourceNode =
  | { readonly kind: 'map'; readonly start: number; readonly end: number; readonly entries: readonly SourceEntry[] }
  | { readonly kind: 'list'; readonly start: number; readonly end: number; readonly items: readonly SourceNode[] }
  | { readonly kind: 'scalar'; readonly start: number; readonly end: number; readonly value: Scalar }

export type Scalar = string | number | boolean | null

export interface SourceEntry {
  readonly key: string
  readonly keyStart: number
  readonly value: SourceNode
}

/** The keys and list positions that lead to a value, from the root. */
export type SourcePath = readonly (string | number)[]

/** The child under a key (the first of that name) or list position, if there is one. */
export function childOf(node: SourceNode | undefined, step: string | number): SourceNode | undefined {
  if (node?.kind === 'map') return entryOf(node, String(step))?.value
  return node?.kind === 'list' ? node.items[Number(step)] : undefined
}

const indexes = new WeakMap<SourceNode, ReadonlyMap<string, SourceEntry>>()

/** The first entry of that name, if the node is a map that has one. */
export function entryOf(node: SourceNode | undefined, key: string): SourceEntry | undefined {
  if (node?.kind !== 'map') return undefined
  let index = indexes.get(node)
  if (index === undefined) {
    index = new Map(node.entries.toReversed().map((entry) => [entry.key, entry]))
    indexes.set(node, index)
  }
  return index.get(key)
}

/** Where the value at `path` begins; for a value that is missing, where the nearest part around it begins. */
export function startOf(root: SourceNode, path: SourcePath): number {
  let node = root
  for (const step of path) {
    const child = childOf(node, step)
    if (child === undefined) break
    node = child
  }
  return node.start
}

/** Where the last key of `path` stands; for a key that is missing, where the nearest part around it begins. */
export function keyStartOf(root: SourceNode, path: SourcePath): number {
  const parent = path.slice(0, -1).reduce<SourceNode | undefined>(childOf, root)
  return entryOf(parent, String(path.at(-1)))?.keyStart ?? startOf(root, path)
}

/** The path as a person reads it: `plugins.github.mcp.args[0]`. */
export function pathText(path: SourcePath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    const name = step.length > 60 ? `${step.slice(0, 60)}…` : step
    const shown = /[\s\p{Cc}]/u.test(name) || name === '' ? JSON.stringify(name) : name
    return text === '' ? shown : `${text}.${shown}`
  }, '')
}
