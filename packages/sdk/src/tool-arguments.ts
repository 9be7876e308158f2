/** The arguments of an action, as types. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ToolArgument } from './tool-definition.ts'

/**
 * What `tool()` takes as `args`: a schema of Zod, Valibot, ArkType or another library that keeps Standard Schema, or a
 * list.
 */
export type ToolArguments = StandardSchemaV1 | readonly ToolArgument[]

/**
 * What the action is given: what the schema puts out, the arguments of the list by name, else an object of anything.
 */
export type ArgumentsOf<Args> = Args extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Args>
  : Args extends readonly ToolArgument[]
    ? ListedArguments<Args>
    : Readonly<Record<string, unknown>>

type ListedArguments<List extends readonly ToolArgument[]> = {
  readonly [Argument in List[number] as IsRequired<Argument, Argument['name'], never>]: ValueOf<Argument['type']>
} & {
  readonly [Argument in List[number] as IsRequired<Argument, never, Argument['name']>]?: ValueOf<Argument['type']>
}

type IsRequired<Argument extends ToolArgument, Yes, No> = Argument extends { readonly required: true } ? Yes : No

type ValueOf<Type extends string> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'array'
        ? unknown[]
        : Record<string, unknown>
