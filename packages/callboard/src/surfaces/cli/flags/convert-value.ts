/** Turns the text of a flag into the JSON value that the tool's schema asks for. */
import type { JsonSchema } from '@callboard/sdk'
import { CallboardError } from '../../../errors.ts'
import { exactNumber, isWritten, parseWritten } from '../../../exact-json.ts'
import { isObject } from '../../../is-object.ts'
import { acceptedTypes, allowedValues, itemSchema, type JsonType } from './schema-branches.ts'

/** Sign, digits before and behind the point, exponent. */
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(e[+-]?\d+)?$/i
/** Longer texts are cut in messages. */
const QUOTED_LENGTH = 60

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

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH).toWellFormed()}…` : text)
}

function parsed(text: string): Found {
  try {
    return { value: parseWritten(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Also one that JSON has other characters for, such as `+5`, `007` or `.5`. */
function asNumber(text: string): Found {
  const [, sign, whole = '', behind = '', exponent = ''] = NUMBER.exec(text) ?? []
  if (whole === '' && behind === '') return undefined
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}${behind && `.${behind}`}`
  return { value: exactNumber(`${sign === '-' ? '-' : ''}${digits}${exponent}`) }
}

const READERS: Readonly<Record<JsonType, (text: string) => Found>> = {
  null: (text) => (text === 'null' ? { value: null } : undefined),
  boolean: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : undefined),
  integer: (text) => {
    const found = asNumber(text)
    return Number.isInteger(Number(text)) ? found : undefined
  },
  number: asNumber,
  object: (text) => {
    const found = parsed(text)
    return isObject(found?.value) && !isWritten(found.value) ? found : undefined
  },
  array: (text) => {
    const found = parsed(text)
    return Array.isArray(found?.value) ? found : undefined
  },
  string: (text) => ({ value: text }),
}

function misfit(target: ValueTarget, types: ReadonlySet<JsonType>, text: string): CallboardError {
  const wanted = [...types].map((type) => PHRASES[type]).join(' or ')
  return new CallboardError('invalid_arguments', `${target.label} needs ${wanted}, but got ${quoted(text)}`)
}

function read(text: string, types: ReadonlySet<JsonType>): Found {
  if (types.has('string')) return READERS.string(text)
  for (const type of types) {
    const found = READERS[type](text)
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
  const found = types === undefined ? (parsed(text) ?? { value: text }) : read(text, types)
  if (found) return found.value
  throw misfit(target, types ?? new Set(), text)
}

function convertList(texts: readonly string[], target: ValueTarget): readonly unknown[] {
  const items = { ...target, schema: itemSchema(target.schema, target.root) }
  const [first] = texts
  if (texts.length === 1 && first !== undefined && !acceptedTypes(items.schema, target.root)?.has('array')) {
    const whole = READERS.array(first)
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
    const single = read(first, new Set([...types].filter((type) => type !== 'array')))
    return single ? single.value : convertList(texts, target)
  }
  if (types?.has('array')) return convertList(texts, target)
  throw new CallboardError('usage', `${target.label} was given ${texts.length} times, but takes one value`)
}
