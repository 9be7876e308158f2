/** The check of a definition before it is registered: what a type can't promise of a plugin written in JavaScript. */
import type { ToolDefinition } from '@callboard/sdk'
import { CallboardError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { isPluginId } from './names.ts'

const ARGUMENT_TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array']
const SURFACES: readonly unknown[] = ['mcp', 'cli']
const TEXTS = ['title', 'description', 'permission'] as const
const FLAGS = ['readOnly', 'destructive', 'idempotent', 'openWorld', 'streaming'] as const
const OBJECTS = ['inputSchema', 'outputSchema', 'listed'] as const

/** Throws a `CallboardError` (`config`) that names the tool, the field and what it has to be. */
export function checkDefinition(definition: ToolDefinition): void {
  if (!isObject(definition)) throw new CallboardError('config', `a tool has to be an object, not ${show(definition)}`)
  const fault = identityFault(definition) ?? fieldFault(definition) ?? argumentsFault(definition)
  if (fault === undefined) return
  const { name, package: pluginId } = definition
  throw new CallboardError('config', `tool ${show(name)} of plugin ${show(pluginId)}: ${fault}`)
}

function identityFault(definition: ToolDefinition): string | undefined {
  if (typeof definition.package !== 'string' || !isPluginId(definition.package))
    return '`package` has to be the id of its plugin: `vendor/name` or a dotted id of letters, digits, `.`, `_` and `-`'
  if (!isText(definition.name)) return '`name` has to be a text that is not empty'
  if (!isText(definition.action)) return '`action` has to be a text that is not empty: what runs'
  return undefined
}

function fieldFault(definition: ToolDefinition): string | undefined {
  for (const field of TEXTS)
    if (definition[field] !== undefined && typeof definition[field] !== 'string') return `\`${field}\` has to be a text`
  if (definition.permission === '') return '`permission` must not be empty; leave it out to have it derived'
  for (const field of FLAGS)
    if (definition[field] !== undefined && typeof definition[field] !== 'boolean')
      return `\`${field}\` has to be true or false`
  for (const field of OBJECTS)
    if (definition[field] !== undefined && !isObject(definition[field])) return `\`${field}\` has to be an object`
  const { surfaces, tags } = definition
  if (surfaces !== undefined && !isListOf(surfaces, (surface) => SURFACES.includes(surface)))
    return '`surfaces` has to be a list of `mcp` and `cli`'
  if (tags !== undefined && !isListOf(tags, isText)) return '`tags` has to be a list of texts'
  return undefined
}

function argumentsFault({ args, inputSchema }: ToolDefinition): string | undefined {
  if (args === undefined) return undefined
  if (inputSchema !== undefined) return 'it has both `args` and `inputSchema`; keep one'
  if (!Array.isArray(args)) return '`args` has to be a list'
  const names = new Set<string>()
  for (const [at, argument] of args.entries()) {
    if (!isObject(argument) || !isText(argument.name)) return `\`args[${at}]\` has no name`
    const { name, type, required, description } = argument
    // The validator passes over properties of this name, so that no call could ever give the argument.
    if (name === '__proto__') return 'argument "__proto__" can\'t be validated; give it another name'
    if (names.has(name)) return `argument ${show(name)} is there twice`
    if (!ARGUMENT_TYPES.includes(type))
      return `argument ${show(name)} is of type ${show(type)}; it has to be one of ${ARGUMENT_TYPES.join(', ')}`
    if (required !== undefined && typeof required !== 'boolean')
      return `\`required\` of argument ${show(name)} has to be true or false`
    if (description !== undefined && typeof description !== 'string')
      return `\`description\` of argument ${show(name)} has to be a text`
    names.add(name)
  }
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isListOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight)
}

/** Names may be of any length, and what stands in a name's place may be anything. */
function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : `(${value === null ? 'null' : typeof value})`
}
