/** What is wrong with arguments, and with answers, by the JSON Schemas of their tool. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inputSchemaOf } from '../input-schema-of.ts'
import { pathText } from '../plain-json.ts'
import { textOfThrown } from '../text-of-thrown.ts'
import type { JsonSchema, ToolDefinition } from '../tool-definition.ts'
import type { ToolResult } from '../tool-result.ts'

/** The settings in which they agree with a host, which guards itself against hostile schemas besides. */
const OPTIONS = {
  strict: false,
  ownProperties: true,
  multipleOfPrecision: 9,
  allErrors: true,
  logger: false,
} as const

/** A host refuses deeper arguments. */
const MAX_DEPTH = 128

/** By the tool's definition for arguments, by the schema itself for answers. */
const compiled = new WeakMap<object, ValidateFunction>()

/** A phrase for each problem; empty for valid arguments. Throws a TypeError for a schema that is none. */
export function argumentProblems(definition: ToolDefinition, args: unknown): readonly string[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return ['expected an object of arguments by name']
  if (isDeeper(args, MAX_DEPTH)) return [`they are nested deeper than ${MAX_DEPTH} levels`]
  const validate = compiled.get(definition) ?? compile(definition, inputSchemaOf(definition))
  compiled.set(definition, validate)
  return validate(args) ? [] : (validate.errors ?? []).map((error) => phraseOf(error))
}

/**
 * The same for the data of an answer; empty where the tool promises none, and where it says of itself that it failed.
 */
export function answerProblems(definition: ToolDefinition, answer: ToolResult): readonly string[] {
  const { outputSchema } = definition
  const { isError, structuredContent } = answer
  if (outputSchema === undefined || isError === true || structuredContent === undefined) return []
  if (isDeeper(structuredContent, MAX_DEPTH)) return [`structuredContent: nested deeper than ${MAX_DEPTH} levels`]
  const validate = compiled.get(outputSchema) ?? compile(definition, outputSchema)
  compiled.set(outputSchema, validate)
  return validate(structuredContent) ? [] : (validate.errors ?? []).map((error) => phraseOf(error, 'structuredContent'))
}

function compile(definition: ToolDefinition, { $schema, ...schema }: JsonSchema): ValidateFunction {
  try {
    return /draft-0[467]/.test(String($schema))
      ? new Ajv(OPTIONS).compile(schema)
      : new Ajv2020(OPTIONS).compile(schema)
  } catch (thrown) {
    throw new TypeError(`tool ${JSON.stringify(definition.name)} has no usable JSON Schema: ${textOfThrown(thrown)}`, {
      cause: thrown,
    })
  }
}

function phraseOf({ instancePath, message = 'not valid', params }: ErrorObject, member?: string): string {
  const path = pathText(
    `${member === undefined ? '' : `/${member}`}${instancePath}`
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
  const name: unknown = params.additionalProperty
  const text =
    typeof name === 'string'
      ? `unknown ${member === undefined ? 'argument' : 'property'} ${JSON.stringify(name)}`
      : message
  return path === '' ? text : `${path}: ${text}`
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
