/** The JSON Schema that a schema of another library stands for. */
import type { StandardJSONSchemaV1, StandardTypedV1 } from '@standard-schema/spec'
import { type Json, plainJson } from './plain-json.ts'
import { textOfThrown } from './text-of-thrown.ts'
import type { JsonSchema } from './tool-definition.ts'

/** The dialect that MCP takes a schema for that names none. */
const DIALECT = 'draft-2020-12'
const DIALECT_URI = 'https://json-schema.org/draft/2020-12/schema'

/** Whether it is a schema of a library that keeps Standard Schema or Standard JSON Schema. */
export function isStandardSchema(value: unknown): value is StandardTypedV1 {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value
}

/**
 * The schema of what goes into the schema, or of what comes out of it. Throws a TypeError that asks for `instead` where
 * the library can't say it, or has no JSON Schema for it.
 */
export function jsonSchemaOf(schema: StandardTypedV1, side: 'input' | 'output', instead: string): JsonSchema {
  const { vendor } = schema['~standard']
  if (!hasJsonSchema(schema))
    throw new TypeError(
      `a schema of ${vendor} that can't say its own JSON Schema (StandardJSONSchemaV1); give that as ${instead} too`,
    )
  let converted: Json
  try {
    converted = plainJson(schema['~standard'].jsonSchema[side]({ target: DIALECT }))
  } catch (thrown) {
    const why = textOfThrown(thrown)
    throw new TypeError(`a schema of ${vendor} without a JSON Schema (${why}); give that as ${instead} too`, {
      cause: thrown,
    })
  }
  const { $schema, ...keywords } = Object(converted)
  return $schema === undefined || $schema === DIALECT_URI ? keywords : { $schema, ...keywords }
}

function hasJsonSchema(schema: StandardTypedV1): schema is StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard']
}
