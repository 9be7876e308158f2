/** A tool as clients of 2025-11-25 and before can take it: one that they can't take costs them the whole list. */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'
import type { ListedTool } from './listed-tools.ts'
import { isPlainSchema } from './plain-schema.ts'

/**
 * The same tool, in a form that means the same. Only an output schema that a client may fail to compile is left out:
 * the widespread ones compile all of a list at once.
 */
export function legacyTool(tool: ListedTool): ListedTool {
  const legacy: Record<string, unknown> & ListedTool = { ...tool }
  for (const field of ['inputSchema', 'outputSchema'])
    if (legacy[field] !== undefined) legacy[field] = withObjectProperties(legacy[field])
  if (!isObject(tool.outputSchema) || !isPlainSchema(tool.outputSchema)) delete legacy.outputSchema
  return legacy
}

/** Whether the SDK lists the output schema to legacy clients as that of a member `result`. */
export function isWrappedForLegacy(outputSchema: JsonSchema | undefined): boolean {
  return outputSchema !== undefined && outputSchema.type !== 'object' && isPlainSchema(outputSchema)
}

/** The schema without `true` and `false` for its properties, which those clients refuse there and nowhere else. */
function withObjectProperties(schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties)) return schema
  const { properties } = schema
  if (!Object.values(properties).some((property) => typeof property === 'boolean')) return schema
  const plain = Object.entries(properties).map(([name, property]) => [name, asObject(property)])
  return { ...schema, properties: Object.fromEntries(plain) }
}

function asObject(property: unknown): unknown {
  if (property === true) return {}
  return property === false ? { not: {} } : property
}
