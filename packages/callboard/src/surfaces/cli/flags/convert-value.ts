/** Turns the text of a flag into the JSON value that the tool's schema asks for. */
import type { JsonSchema } from '@callboard/sdk'
import { CallboardError } from '../../../errors.ts'
import { isObject } from '../../../is-object.ts'
import { exactNumber, parseExactJson, quoted } from './exact-json.ts'
import { acceptedTypes, allowedValues, itemSchema, type JsonType } from './schema-branches.ts'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const PHRASES: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a JSON object such as \'{"a":1}\'',
  array: "values, one for each time it is given, or a JSON array such as '[1,2]'",
  string: 'a text',
}

/** Where a value comes from, for messages, and the schema it has to fit. */
export interface ValueTarget {
  /** The flag as it was written, such as `--count`. */
  readonly label: string
  readonly schema: unknown
  /** The tool's whole schema, in which `$ref` is looked up. */
  readonly root: JsonSchema
}

/** A value found for a text; absent when the text does not fit. */
type Found = { readonly value: unknown } | undefined

function parsed(text: string, label: string): Found {
  try {
    return { value: parseExactJson(text, label) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function asNumber(text: string, label: string): Found {
  if (!NUMBER.test(text)) return undefined
  return { value: exactNumber(text, label) }
}

const READERS: Readonly<Record<JsonType, (text: string, label: string) => Found>> = {
  null: (text) => (text === 'null' ? { value: null } : undefined),
  boolean: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : undefined),
  integer: (text, label) => {
    const found = asNumber(text, label)
    return Number.isInteger(found?.value) ? found : undefined
  },
  number: asNumber,
  object: (text, label) => {
    const found = parsed(text, label)
    return isObject(found?.value) ? found : undefined
  },
  array: (text, label) => {
    const found = parsed(text, label)
    return Array.isArray(found?.value) ? found : undefined
  },
  string: (text) => ({ value: text }),
}

function misfit(target: ValueTarget, types: ReadonlySet<JsonType>, text: string): CallboardError {
  const wanted = [...types].map((type) => PHRASES[type]).join(' or ')
  return new CallboardError('invalid_arguments', `${target.label} needs ${wanted}, but got ${quoted(text)}`)
}

function read(text: string, types: ReadonlySet<JsonType>, label: string): Found {
  if (types.has('string')) return READERS.string(text, label)
  for (const type of types) {
    const found = READERS[type](text, label)
    if (found) return found
  }
  return undefined
}

/**
 * The member of an enumeration that a text stands for: the text itself first, then a number, boolean or null written
 * so.
 */
function readMember(text: string, { schema, root }: ValueTarget): Found {
  const members = allowedValues(schema, root)
  if (members.includes(text)) return { value: text }
  const index = members.findIndex((member) => typeof member !== 'string' && JSON.stringify(member) === text)
  return index < 0 ? undefined : { value: members[index] }
}

/**
 * The value of one text. Where a text is accepted it stays a text, whatever it looks like; where the schema names no
 * type it is read as JSON if it is JSON.
 * @throws CallboardError `invalid_arguments` when the text can't be read as any accepted type
 */
function convertText(text: string, target: ValueTarget): unknown {
  const member = readMember(text, target)
  if (member) return member.value
  const types = acceptedTypes(target.schema, target.root)
  const found = types === undefined ? (parsed(text, target.label) ?? { value: text }) : read(text, types, target.label)
  if (found) return found.value
  throw misfit(target, types ?? new Set(), text)
}

function convertList(texts: readonly string[], target: ValueTarget): readonly unknown[] {
  const items = { ...target, schema: itemSchema(target.schema, target.root) }
  const [first] = texts
  if (texts.length === 1 && first !== undefined && !acceptedTypes(items.schema, target.root)?.has('array')) {
    const whole = READERS.array(first, target.label)
    if (Array.isArray(whole?.value)) return whole.value
  }
  return texts.map((text) => convertText(text, items))
}

/**
 * The value of a flag that was given once or more. More than once makes a list, where the schema accepts one; a single
 * text that is a JSON array is the whole list, unless the items are lists themselves.
 * @throws CallboardError `usage` when it was repeated and no list is accepted, `invalid_arguments` when a text does not
 * fit
 */
export function convertValue(texts: readonly string[], target: ValueTarget): unknown {
  const types = acceptedTypes(target.schema, target.root)
  const [first] = texts
  if (texts.length === 1 && first !== undefined) {
    if (!types?.has('array')) return convertText(first, target)
    const single = read(first, new Set([...types].filter((type) => type !== 'array')), target.label)
    return single ? single.value : convertList(texts, target)
  }
  if (types?.has('array')) return convertList(texts, target)
  throw new CallboardError('usage', `${target.label} was given ${texts.length} times, but takes one value`)
}
