/** Turns what a schema has against a value into words that name the place, what was expected, and the mend. */
import type { z } from 'zod'
import { closestName } from '../closest-name.ts'
import { pathText, type SourcePath } from './source-node.ts'

/** One thing that is wrong, and whether it is the value at `path` or the key itself. */
export interface PlacedFault {
  readonly path: SourcePath
  readonly at: 'key' | 'value'
  readonly message: () => string
}

type Issue = z.core.$ZodIssue

/** Keys that people write one level too high, with the key under which they belong. */
const BELONGS: ReadonlyMap<string, string> = new Map([
  ...['command', 'args', 'env', 'cwd', 'url', 'headers'].map((key) => [key, 'mcp'] as const),
  ...['keep', 'drop', 'overrides'].map((key) => [key, 'tools'] as const),
  ...['listen', 'auth', 'hosts', 'origins'].map((key) => [key, 'http'] as const),
  ...['concurrency', 'queue', 'timeout', 'maxTimeout'].map((key) => [key, 'limits'] as const),
  ['maxLength', 'names'] as const,
])

/** What was checked, and where it stands. */
export interface CheckedPlace {
  readonly path: SourcePath
  readonly value: unknown
  /** The keys that are known in the mapping at a path. */
  readonly knownKeys: (path: SourcePath) => readonly string[]
}

/** The faults that one issue stands for. */
export function explainIssue(issue: Issue, place: CheckedPlace): PlacedFault[] {
  const steps = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  const path = [...place.path, ...steps]
  const found = steps.reduce<unknown>(stepInto, place.value)
  if (issue.code === 'unrecognized_keys') {
    const known = place.knownKeys(path)
    return issue.keys.map((key) => unknownKey([...path, key], known))
  }
  if (issue.code === 'invalid_union') {
    const branch = issue.errors.find((issues) => !issues.some(isOfOtherType))
    if (branch !== undefined) return branch.flatMap((deeper) => explainIssue(deeper, { ...place, path, value: found }))
  }
  if (issue.code === 'invalid_key') {
    const why = issue.issues[0]?.message ?? 'expected a name'
    return [{ path, at: 'key', message: () => `${pathText(path)}: ${why}` }]
  }
  return [{ path, at: 'value', message: () => `${pathText(path) || 'the config'}: ${wordsFor(issue, found)}` }]
}

/** A key that nothing knows at this place, with the one of the `known` keys that was probably meant. */
export function unknownKey(path: SourcePath, known: readonly string[]): PlacedFault {
  return {
    path,
    at: 'key',
    message: () => {
      const key = String(path.at(-1))
      const meant = closestName(key, known)
      const home = BELONGS.get(key)
      const mend =
        home !== undefined && known.includes(home)
          ? `it belongs under \`${home}\``
          : meant === undefined
            ? `known here: ${known.join(', ')}`
            : `did you mean \`${meant}\`?`
      return `${pathText(path)}: unknown key; ${mend}`
    },
  }
}

function isOfOtherType(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0
}

// Values are named by their type only: they may be secrets.
function wordsFor(issue: Issue, found: unknown): string {
  if (issue.code === 'invalid_type') return mistyped(expectedWords(issue.expected), issue.expected, found)
  if (issue.code === 'invalid_union') {
    const types = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []))
    const words = [...new Set(types.map(expectedWords))].join(' or ')
    return mistyped(words || 'another value', types.includes('string') ? 'string' : '', found)
  }
  // A message of the schema's own says more than a list of values or a bound.
  if (issue.message.startsWith('expected')) return issue.message
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    const meant = typeof found === 'string' ? closestName(found, values) : undefined
    return `expected ${listed(values)}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  }
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}`
  if (issue.code === 'too_big') {
    return `expected at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
  }
  return issue.message
}

function mistyped(expected: string, type: string, found: unknown): string {
  if (found === undefined) return `this key is missing; expected ${expected}`
  return `expected ${expected}, found ${typeWords(found)}${mendType(type, found)}`
}

function mendType(type: string, found: unknown): string {
  if (type === 'string' && (typeof found === 'number' || typeof found === 'boolean')) return '; put it in quotes'
  if (type === 'boolean' && typeof found === 'string') {
    if (/^(?:yes|on|true|y)$/i.test(found)) return '; write true, without quotes'
    if (/^(?:no|off|false|n)$/i.test(found)) return '; write false, without quotes'
  }
  if ((type === 'number' || type === 'int') && typeof found === 'string' && /^\d+$/.test(found)) {
    return '; write the number without quotes'
  }
  if (type === 'array' && typeof found === 'string') return '; put it in [ ]'
  if (found === null) return '; give it a value or remove the key'
  return ''
}

function expectedWords(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a mapping',
    record: 'a mapping',
    null: 'nothing',
  }
  return words[type] ?? type
}

function typeWords(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return expectedWords(typeof value)
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function stepInto(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? Reflect.get(value, step)
    : undefined
}
