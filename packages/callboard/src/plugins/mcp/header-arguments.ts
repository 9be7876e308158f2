/** Arguments that the modern era wants repeated as HTTP headers (`x-mcp-header` in a tool's schema, SEP-2243). */
import { isObject, type JsonObject } from './messages.ts'

/** One argument that goes into a header. */
interface HeaderArgument {
  readonly path: readonly string[]
  readonly header: string
}

export type HeaderArguments =
  | { readonly kind: 'valid'; readonly arguments: readonly HeaderArgument[] }
  | { readonly kind: 'invalid'; readonly reason: string }

const KEYWORD = 'x-mcp-header'
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const TYPES = ['string', 'integer', 'boolean']
/** A header's value is plain when nothing in it would be lost or mistaken on the way. */
const PLAIN = /^(?! )(?!=\?base64\?.*\?=$)[\t\x20-\x7e]+(?<! )$/

/** The arguments that the schema wants in headers; invalid where the annotation stands in a place that it may not. */
export function headerArgumentsOf(schema: JsonObject): HeaderArguments {
  const found: HeaderArgument[] = []
  try {
    collect(schema, [], found)
  } catch (error) {
    if (error instanceof InvalidHeader) return { kind: 'invalid', reason: error.message }
    throw error
  }
  const names = found.map(({ header }) => header.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) return { kind: 'invalid', reason: `two arguments want the ${KEYWORD} "${twice}"` }
  return { kind: 'valid', arguments: found }
}

/** The headers of one call. Arguments that are absent, null or no plain value have none. */
export function argumentHeaders(wanted: readonly HeaderArgument[], args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of wanted) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args)
    const fits = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
    if (fits) headers[`Mcp-Param-${header}`] = encoded(String(value))
  }
  return headers
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
