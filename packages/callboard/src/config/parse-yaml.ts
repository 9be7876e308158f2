/** Reads YAML into source nodes: the plain part of YAML 1.2, without anchors, aliases, merge keys or tags. */
import { isAlias, isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml'
import type { Scalar, SourceEntry, SourceNode } from './source-node.ts'

/** Far beyond any honest file; whatever the text, the parser takes less than a second for it. */
export const MAX_YAML_BYTES: number = 128 * 1024

const MAX_DEPTH = 64
const QUOTE_STAR = 'anchors and aliases (& and *) are not read here; text that begins with * or & must stand in quotes'
const NO_TAGS = 'tags (!…) are not read here; put text that begins with ! in quotes'
const TOO_DEEP = 'nested too deeply; a few levels are enough'
const PLAIN_KEYS = 'a key must be plain text; put it in quotes'

/** What kind of fault it is, for who wants to tell them apart. */
export type YamlFault = 'alias' | 'depth' | 'directive' | 'documents' | 'key' | 'syntax' | 'tab' | 'tag'

/** Is told of each fault: its offset, and what is wrong in words, which are only asked for when they are shown. */
export interface YamlFaults {
  add(offset: number, message: () => string, fault: YamlFault): void
}

/** A `${` that is in no quotes, inside { }: its braces count as those of a mapping. */
const BARE_VARIABLE = /\{[^"'}]*\$\{/
const QUOTE_VARIABLE = 'inside { } a value with ${…} must stand in quotes, as in { KEY: "${KEY}" }'

/** What an error code of the parser means, and its mend; the parser's own messages may quote values. */
const SYNTAX: Readonly<Record<string, readonly [fault: YamlFault, message: string]>> = {
  ALIAS_PROPS: ['alias', QUOTE_STAR],
  BAD_ALIAS: ['alias', QUOTE_STAR],
  MULTIPLE_ANCHORS: ['alias', QUOTE_STAR],
  BAD_DIRECTIVE: ['directive', 'directives (%…) are not read here; remove the line'],
  BAD_DQ_ESCAPE: ['syntax', 'unknown escape in double quotes; use single quotes, or \\\\ for one backslash'],
  BAD_INDENT: [
    'syntax',
    'the indentation does not fit, or a } or ] is missing; the keys of one mapping begin in the same column',
  ],
  BAD_SCALAR_START: ['syntax', 'this character cannot begin plain text; put the value in quotes'],
  BLOCK_AS_IMPLICIT_KEY: ['syntax', 'a second ": " in one line; put the value in quotes or on its own line'],
  BLOCK_IN_FLOW: ['syntax', 'a block cannot stand inside { } or [ ]; write it in one style'],
  KEY_OVER_1024_CHARS: ['syntax', 'a key is longer than 1024 characters; is a quote or a ":" missing before it?'],
  MISSING_CHAR: [
    'syntax',
    'something is not closed or a sign is missing; look for a quote, a bracket, or a space after ":"',
  ],
  MULTILINE_IMPLICIT_KEY: ['syntax', 'a key must stand on one line, followed by ": "'],
  MULTIPLE_DOCS: ['documents', 'a second document begins here; one file is one document, without "---" inside'],
  NON_STRING_KEY: ['key', PLAIN_KEYS],
  RESOURCE_EXHAUSTION: ['depth', TOO_DEEP],
  TAB_AS_INDENT: ['tab', 'a tab in the indentation; use spaces'],
  TAG_RESOLVE_FAILED: ['tag', NO_TAGS],
}

const UNEXPECTED = ['syntax', 'unexpected text; check the indentation, quotes and commas'] as const

/**
 * The document, or undefined after its faults were added to `faults` (of syntax errors one a line). Empty text is an
 * empty map.
 */
export function parseYaml(text: string, faults: YamlFaults): SourceNode | undefined {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // The parser's own check compares each key with every other; `expandTree` has one that stays linear.
    uniqueKeys: false,
    prettyErrors: false,
    // 'silent' would hide a second document, too.
    logLevel: 'error',
  })
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) {
    let lineEnd = -1
    for (const error of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
      if (error.pos[0] <= lineEnd) continue
      lineEnd = text.indexOf('\n', error.pos[0])
      const line = text.slice(text.lastIndexOf('\n', error.pos[0] - 1) + 1, lineEnd === -1 ? undefined : lineEnd)
      const isBareVariable = BARE_VARIABLE.test(line)
      const [fault, message] = SYNTAX[error.code] ?? UNEXPECTED
      faults.add(error.pos[0], () => (isBareVariable ? QUOTE_VARIABLE : message), isBareVariable ? 'syntax' : fault)
      // What the parser finds after its braces are out of step are no faults of the text.
      if (lineEnd === -1 || isBareVariable) break
    }
    return undefined
  }
  const reader = new TreeReader(faults)
  const root = document.contents === null ? emptyMap() : reader.read(document.contents, 0, 0)
  if (reader.failed) return undefined
  return root.kind === 'scalar' && root.value === null ? emptyMap() : root
}

function emptyMap(): SourceNode {
  return { kind: 'map', start: 0, end: 0, entries: [] }
}

class TreeReader {
  readonly #faults: YamlFaults
  failed = false

  constructor(faults: YamlFaults) {
    this.#faults = faults
  }

  read(node: unknown, fallback: number, depth: number): SourceNode {
    if (isAlias(node)) return this.#refuse(node.range?.[0] ?? fallback, 'alias', QUOTE_STAR)
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) {
      return { kind: 'scalar', start: fallback, end: fallback, value: null }
    }
    const [start, end] = node.range ?? [fallback, fallback]
    if (node.anchor !== undefined) return this.#refuse(start, 'alias', QUOTE_STAR)
    // Those of the core schema are known to the parser, and no error of its own.
    if (node.tag !== undefined) return this.#refuse(start, 'tag', NO_TAGS)
    if (depth > MAX_DEPTH) return this.#refuse(start, 'depth', TOO_DEEP)
    if (isScalar(node)) return { kind: 'scalar', start, end, value: scalarOf(node.value) }
    if (isSeq(node)) {
      return { kind: 'list', start, end, items: node.items.map((item) => this.read(item, start, depth + 1)) }
    }
    return { kind: 'map', start, end, entries: node.items.map((pair) => this.#entry(pair, start, depth)) }
  }

  #entry(pair: Pair<unknown, unknown>, fallback: number, depth: number): SourceEntry {
    const key = this.read(pair.key, fallback, depth + 1)
    const value = this.read(pair.value, key.end, depth + 1)
    if (key.kind !== 'scalar') this.#refuse(key.start, 'key', PLAIN_KEYS)
    return { key: key.kind === 'scalar' ? String(key.value ?? '') : '', keyStart: key.start, value }
  }

  #refuse(offset: number, fault: YamlFault, message: string): SourceNode {
    this.failed = true
    this.#faults.add(offset, () => message, fault)
    return { kind: 'scalar', start: offset, end: offset, value: null }
  }
}

function scalarOf(value: unknown): Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
