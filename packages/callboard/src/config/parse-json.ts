/** Reads JSON as clients write it (comments and trailing commas allowed) into source nodes. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { messageOf } from '../errors.ts'
import type { Problems } from './problems.ts'
import type { Scalar, SourceNode } from './source-node.ts'

const MAX_DEPTH = 64
const TOO_DEEP = 'nested too deeply; a config needs no more than a few levels'

/** By the parser's error number. */
const SYNTAX: Readonly<Record<number, string>> = {
  1: 'unexpected text; text and keys stand in double quotes',
  2: 'this is not a number',
  3: 'a key in double quotes is expected here',
  4: 'a value is expected here',
  5: 'a ":" is expected here',
  6: 'a "," is expected here',
  7: 'a "}" is missing',
  8: 'a "]" is missing',
  9: 'the file ends before this',
  11: 'a comment is not closed with */',
  12: 'a text is not closed with a double quote',
  13: 'this is not a number',
  14: 'a \\u escape needs four hexadecimal digits',
  15: 'unknown escape; write \\\\ for one backslash',
  16: 'a control character in a text; write it as an escape such as \\n',
}

/**
 * The document, or undefined after its syntax errors were added to `problems` (one a line). Empty text is an empty map.
 */
export function parseJson(text: string, problems: Problems): SourceNode | undefined {
  if (text.trim() === '') return { kind: 'map', start: 0, end: 0, entries: [] }
  const errors: ParseError[] = []
  let tree: Node | undefined
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true })
  } catch (thrown) {
    // The parser recurses, so deep nesting ends as a RangeError of the stack.
    problems.add(0, () => (thrown instanceof RangeError ? TOO_DEEP : `cannot be read: ${messageOf(thrown)}`))
    return undefined
  }
  let lineEnd = -1
  for (const error of errors.toSorted((a, b) => a.offset - b.offset)) {
    if (error.offset <= lineEnd) continue
    problems.add(error.offset, () => SYNTAX[error.error] ?? 'this is not JSON')
    lineEnd = text.indexOf('\n', error.offset)
    if (lineEnd === -1) break
  }
  if (errors.length > 0 || tree === undefined) return undefined
  return read(tree, 0, problems)
}

function read(node: Node, depth: number, problems: Problems): SourceNode | undefined {
  const span = { start: node.offset, end: node.offset + node.length }
  if (depth > MAX_DEPTH) {
    problems.add(node.offset, () => TOO_DEEP)
    return undefined
  }
  if (node.type !== 'object' && node.type !== 'array') return { kind: 'scalar', ...span, value: scalarOf(node) }
  const children = node.children ?? []
  if (node.type === 'array') {
    const items = children.map((child) => read(child, depth + 1, problems))
    return items.every((item) => item !== undefined) ? { kind: 'list', ...span, items } : undefined
  }
  const entries = children.map((property) => {
    const [key, value] = property.children ?? []
    if (key === undefined || value === undefined) return undefined
    const child = read(value, depth + 1, problems)
    return child && { key: String(key.value), keyStart: key.offset, value: child }
  })
  return entries.every((entry) => entry !== undefined) ? { kind: 'map', ...span, entries } : undefined
}

function scalarOf(node: Node): Scalar {
  const value: unknown = node.value
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
