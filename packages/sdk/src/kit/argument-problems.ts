/** What is wrong with arguments by the JSON Schema of their tool, before the tool itself looks at them. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inputSchemaOf } from '../input-schema-of.ts'
import { pathText } from '../plain-json.ts'
import { textOfThrown } from '../text-of-thrown.ts'
import type { ToolDefinition } from '../tool-definition.ts'

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

const compiled = new WeakMap<ToolDefinition, ValidateFunction>()

/** A phrase for each problem; empty for valid arguments. Throws a TypeError for a schema that is none. */
export function argumentProblems(definition: ToolDefinition, args: unknown): readonly string[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return ['expected an object of arguments by name']
  if (isDeeper(args, MAX_DEPTH)) return [`they are nested deeper than ${MAX_DEPTH} levels`]
  const validate = compiled.get(definition) ?? compile(definition)
  compiled.set(definition, validate)
  return validate(args) ? [] : (validate.errors ?? []).map(phraseOf)
}

function compile(definition: ToolDefinition): ValidateFunction {
  const { $schema, ...schema } = inputSchemaOf(definition)
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

function phraseOf({ instancePath, message = 'not valid', params }: ErrorObject): string {
  const path = pathText(
    instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
  const name: unknown = params.additionalProperty
  const text = typeof name === 'string' ? `unknown argument ${JSON.stringify(name)}` : message
  return path === '' ? text : `${path}: ${text}`
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
