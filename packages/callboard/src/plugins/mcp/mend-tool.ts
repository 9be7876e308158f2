/** Puts right, or takes out, what a client would stumble over in a tool: one odd field costs it the whole list. */
import type { JsonSchema } from '@callboard/sdk'
import { specTypeSchemas } from '@modelcontextprotocol/client'
import { isObject } from '../../is-object.ts'
import type { JsonObject } from './messages.ts'

export interface MendedTool {
  readonly tool: JsonObject & { readonly inputSchema: JsonSchema }
  /** The fields that were wrong, dotted where only a part of one was. */
  readonly mended: readonly string[]
}

/** Mends the entry of a list, which has a name. It must not be so deep that it can't be copied, see `isTooDeep`. */
export function mendTool(entry: JsonObject): MendedTool {
  const mended = new Set<string>()
  const tool: JsonObject = { ...entry }
  for (const field of ['inputSchema', 'outputSchema']) {
    const schema = tool[field]
    if (isObject(schema)) tool[field] = mendSchema(schema, (part) => mended.add(`${field}.${part}`))
    else if (schema !== undefined) takeOut(tool, [field], mended)
  }
  const { inputSchema } = tool
  const isUsable = isObject(inputSchema) && inputSchema.type === 'object'
  if (!isUsable) mended.add('inputSchema')
  const withoutType = isObject(inputSchema) && inputSchema.type === undefined ? inputSchema : {}
  const usable = isUsable ? inputSchema : { type: 'object', ...withoutType }
  tool.inputSchema = usable
  mendRest(tool, mended)
  return { tool: { ...tool, inputSchema: usable }, mended: [...mended] }
}

/** Only of the first level: what stands deeper is not looked at by those who take a list. */
function mendSchema(schema: JsonObject, report: (part: string) => void): JsonObject {
  const { $schema, required, properties } = schema
  const wrong = [
    ...($schema === undefined || typeof $schema === 'string' ? [] : ['$schema']),
    ...(required === undefined || isStrings(required) ? [] : ['required']),
    ...(properties === undefined || isObject(properties) ? [] : ['properties']),
  ]
  for (const part of wrong) report(part)
  const mended = wrong.length === 0 ? schema : without(schema, wrong)
  if (!isObject(properties)) return mended
  const odd = Object.keys(properties).filter(
    (name) => !isObject(properties[name]) && typeof properties[name] !== 'boolean',
  )
  if (odd.length === 0) return mended
  report('properties')
  return { ...mended, properties: without(properties, odd) }
}

/** By the SDK's own schema of a tool, which clients use. */
function mendRest(tool: JsonObject, mended: Set<string>): void {
  const { issues } = specTypeSchemas.Tool['~standard'].validate(tool)
  for (const { path = [] } of issues ?? []) {
    const names = path.map((part) => String(typeof part === 'object' ? part.key : part))
    const isPart = (names[0] === 'annotations' || names[0] === 'execution') && isObject(tool[names[0]])
    takeOut(tool, names.slice(0, isPart ? 2 : 1), mended)
  }
}

function takeOut(tool: JsonObject, [field = '', part]: readonly string[], mended: Set<string>): void {
  mended.add(part === undefined ? field : `${field}.${part}`)
  const value = tool[field]
  if (part !== undefined && isObject(value)) tool[field] = without(value, [part])
  else delete tool[field]
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.has(name)))
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}
