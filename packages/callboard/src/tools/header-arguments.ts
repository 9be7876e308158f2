/** Arguments that the modern era wants repeated as HTTP headers (`x-mcp-header` in a tool's schema, SEP-2243). */
import { isUtf8 } from 'node:buffer'
import { isObject } from '../is-object.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** One argument that goes into a header. */
export interface HeaderArgument {
  readonly path: readonly string[]
  readonly header: string
}

export type HeaderArguments =
  | { readonly kind: 'valid'; readonly arguments: readonly HeaderArgument[] }
  | { readonly kind: 'invalid'; readonly reason: string }

const KEYWORD = 'x-mcp-header'
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const TYPES = ['string', 'integer', 'boolean']
const PREFIX = 'Mcp-Param-'
/** A header's value is plain when nothing in it would be lost or mistaken on the way. */
const PLAIN = /^(?! )(?!=\?base64\?.*\?=$)[\t\x20-\x7e]+(?<! )$/

const DECIMAL = /^-?\d+(\.\d+)?$/
const ENCODED = /^=\?base64\?(.*)\?=$/s

const known = new WeakMap<JsonObject, HeaderArguments>()

/**
 * The arguments that the schema wants in headers; invalid where the annotation stands in a place that it may not.
 * Worked out once for a schema.
 */
export function headerArgumentsOf(schema: JsonObject): HeaderArguments {
  const before = known.get(schema)
  if (before !== undefined) return before
  const found = find(schema)
  known.set(schema, found)
  return found
}

function find(schema: JsonObject): HeaderArguments {
  const found: HeaderArgument[] = []
  try {
    collect(schema, [], found)
  } catch (error) {
    if (error instanceof InvalidHeader) return { kind: 'invalid', reason: error.message }
    throw error
  }
  const names = new Set<string>()
  const twice = found.map(({ header }) => header.toLowerCase()).find((name) => names.size === names.add(name).size)
  if (twice !== undefined) return { kind: 'invalid', reason: `two arguments want the ${KEYWORD} "${twice}"` }
  return { kind: 'valid', arguments: found }
}

/** The headers of one call. Arguments that are absent, null or no plain value have none. */
export function argumentHeaders(wanted: readonly HeaderArgument[], args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of wanted) {
    const value = valueAt(path, args)
    if (value !== undefined) headers[`${PREFIX}${header}`] = encoded(String(value))
  }
  return headers
}

/** A header that does not say what its argument says. */
export interface HeaderMismatch {
  /** Its name. */
  readonly header: string
  readonly reason: string
}

/**
 * The first header of a call that is missing, can't be read or says something else than its argument; undefined when
 * all are right. A header whose argument is absent, null or no plain value is not looked at.
 * @param headerOf the value of the header of that name, however it is written
 */
export function headerMismatch(
  wanted: readonly HeaderArgument[],
  args: JsonObject,
  headerOf: (name: string) => string | undefined,
): HeaderMismatch | undefined {
  for (const { path, header: name } of wanted) {
    const value = valueAt(path, args)
    if (value === undefined) continue
    const header = `${PREFIX}${name}`
    const sent = headerOf(header)
    const where = `the argument ${JSON.stringify(path.join('.'))}`
    if (sent === undefined) return { header, reason: `${where} is to be repeated in the header ${header}` }
    const said = decoded(sent)
    if (said === undefined)
      return { header, reason: `the header ${header} is no Base64 of UTF-8 text, as it says it is` }
    if (!isSame(said, value)) return { header, reason: `the header ${header} says something else than ${where}` }
  }
  return undefined
}

/** The argument; undefined when it is one that has no header. */
function valueAt(path: readonly string[], args: JsonObject): string | number | boolean | undefined {
  const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

/** `42.0` is 42: clients may write a number in more than one way. */
function isSame(said: string, value: string | number | boolean): boolean {
  return said === String(value) || (typeof value === 'number' && DECIMAL.test(said) && Number(said) === value)
}

function decoded(sent: string): string | undefined {
  const base64 = ENCODED.exec(sent)?.[1]
  if (base64 === undefined) return sent
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

class InvalidHeader extends Error {}

/** Walks the whole schema, since the annotation is an error anywhere but under a chain of `properties`. */
function collect(schema: unknown, path: readonly string[] | undefined, found: HeaderArgument[]): void {
  if (Array.isArray(schema)) for (const part of schema) collect(part, undefined, found)
  if (!isObject(schema)) return
  if (Object.hasOwn(schema, KEYWORD)) found.push(headerArgument(schema, path))
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword !== 'properties') collect(part, undefined, found)
    else if (isObject(part))
      for (const [name, property] of Object.entries(part)) collect(property, path && [...path, name], found)
  }
}

function headerArgument(schema: JsonObject, path: readonly string[] | undefined): HeaderArgument {
  const header = schema[KEYWORD]
  if (path === undefined || path.length === 0) throw new InvalidHeader(`${KEYWORD} stands where no argument is`)
  const where = path.join('.')
  if (typeof header !== 'string' || !TOKEN.test(header))
    throw new InvalidHeader(`the ${KEYWORD} of the argument "${where}" is no name of a header`)
  if (typeof schema.type !== 'string' || !TYPES.includes(schema.type))
    throw new InvalidHeader(`the argument "${where}" has an ${KEYWORD} but is no string, integer or boolean`)
  return { path, header }
}

function encoded(value: string): string {
  return PLAIN.test(value) ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}
