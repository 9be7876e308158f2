/** `tool()`: one tool of a plugin that is written in code. */
import type { StandardSchemaV1, StandardTypedV1 } from '@standard-schema/spec'
import { isStandardSchema, jsonSchemaOf } from './json-schema-of.ts'
import type { ToolAction } from './tool-action.ts'
import type { ArgumentsOf, ToolArguments } from './tool-arguments.ts'
import type { JsonSchema, ToolDefinition } from './tool-definition.ts'

/** What a tool is: its `ToolDefinition`, but for what its plugin says, and what runs it. */
export interface ToolOptions<Args extends ToolArguments | undefined>
  extends Omit<ToolDefinition, 'package' | 'action' | 'args' | 'inputSchema' | 'outputSchema' | 'listed'> {
  /**
   * The arguments: a schema of Zod, Valibot, ArkType or another library that keeps Standard Schema, whose transforms
   * and refinements are applied to each call; or a list in the short form. A tool with neither `args` nor `inputSchema`
   * takes no arguments.
   */
  readonly args?: Args
  /**
   * The JSON Schema of the arguments: in place of `args`, or beside a schema whose library can't say it. It is what
   * callers are shown and what arguments are checked against first.
   */
  readonly inputSchema?: JsonSchema
  /**
   * What `structuredContent` has to fit, else the call fails: JSON Schema, or a schema of a library that can say its
   * JSON Schema, whose transforms and refinements are not applied.
   */
  readonly outputSchema?: JsonSchema | StandardTypedV1
  readonly run: ToolAction<ArgumentsOf<Args>>
}

/** A tool before it belongs to a plugin; `definePlugin` takes it. */
export interface Tool {
  readonly definition: Omit<ToolDefinition, 'package'>
  /** Looks at the arguments after the JSON Schema did, and may make something else of them. */
  readonly schema?: StandardSchemaV1
  readonly run: ToolAction<never>
}

/** Makes a tool. Throws a TypeError that names the tool for what can't be meant. */
export function tool<const Args extends ToolArguments | undefined = undefined>(options: ToolOptions<Args>): Tool {
  const { args, inputSchema, outputSchema, run, ...rest } = options
  try {
    checkOptions(options)
    const schema = isArgumentSchema(args) ? args : undefined
    return {
      definition: {
        ...rest,
        action: options.name,
        ...argumentsOf(args, inputSchema),
        ...(outputSchema !== undefined && {
          outputSchema: isStandardSchema(outputSchema)
            ? jsonSchemaOf(outputSchema, 'output', '`outputSchema`')
            : outputSchema,
        }),
      },
      ...(schema !== undefined && { schema }),
      run,
    }
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw new TypeError(`tool ${JSON.stringify(options.name)}: ${thrown.message}`, { cause: thrown.cause })
  }
}

function checkOptions(options: ToolOptions<ToolArguments | undefined>): void {
  const { name, args, inputSchema, readOnly, destructive, run } = options
  if (typeof name !== 'string' || name === '') throw new TypeError('`name` has to be a text that is not empty')
  if (typeof run !== 'function') throw new TypeError('`run` has to be the function that runs it')
  if (readOnly === true && destructive === true)
    throw new TypeError('it is `readOnly` and `destructive`; a tool that changes nothing destroys nothing')
  if (args === undefined || isStandardSchema(args)) return
  if (!Array.isArray(args)) throw new TypeError('`args` has to be a schema of a library or a list of arguments')
  if (inputSchema !== undefined) throw new TypeError('it has a list of `args` and an `inputSchema`; keep one')
}

function argumentsOf(
  args: ToolArguments | undefined,
  inputSchema: JsonSchema | undefined,
): Pick<ToolDefinition, 'args' | 'inputSchema'> {
  if (inputSchema !== undefined) return { inputSchema }
  if (!isArgumentSchema(args)) return { args: args ?? [] }
  const schema = jsonSchemaOf(args, 'input', '`inputSchema`')
  if (schema.type === undefined || schema.type === 'object') return { inputSchema: schema }
  throw new TypeError(
    `its \`args\` are of type ${JSON.stringify(schema.type)}; arguments have names, so make it an object`,
  )
}

function isArgumentSchema(args: ToolArguments | undefined): args is StandardSchemaV1 {
  return isStandardSchema(args)
}
