/** The JSON Schema of a tool's arguments, whichever way its definition gives them. */
import type { JsonSchema, ToolArgument, ToolDefinition } from './tool-definition.ts'

/**
 * The schema of the arguments: `inputSchema` as it is, `args` as the object schema they stand for, and with neither any
 * object. A list of `args` is complete, so that a misspelt argument is told instead of being lost: further ones are
 * not valid. Whoever wants them open writes an `inputSchema`.
 */
export function inputSchemaOf(definition: ToolDefinition): JsonSchema {
  if (definition.inputSchema !== undefined) return definition.inputSchema
  return definition.args === undefined ? { type: 'object' } : schemaOfArguments(definition.args)
}

function schemaOfArguments(args: readonly ToolArgument[]): JsonSchema {
  const required = args.filter((argument) => argument.required === true).map(({ name }) => name)
  return {
    type: 'object',
    // `fromEntries` makes an own property of any name, `__proto__` too; an assignment would not.
    properties: Object.fromEntries(args.map((argument) => [argument.name, schemaOfArgument(argument)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function schemaOfArgument({ type, description }: ToolArgument): JsonSchema {
  return { type, ...(description !== undefined && { description }) }
}
