/** The argument by which a caller of a tool chooses the model provider that serves it. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../is-object.ts'
import { inputSchemaOf } from '../tools/arguments.ts'
import { type CatalogTool, offersOf } from './catalog-tool.ts'

export const PROVIDER_ARGUMENT = 'provider'

/** Whether the argument is the choice; it is the tool's own where its schema has one of that name. */
export function takesProviderArgument(tool: CatalogTool): boolean {
  return (
    tool.entry.providers.length > 0 &&
    offersOf(tool).every(({ definition }) => !Object.hasOwn(propertiesOf(inputSchemaOf(definition)), PROVIDER_ARGUMENT))
  )
}

/**
 * The schema of all that a call by the tool's own name may give: the arguments, in the form that some provider takes,
 * and the provider. The schema as it is for a tool without providers.
 */
export function callSchema(tool: CatalogTool): JsonSchema {
  const schema = inputSchemaOf(tool.definition)
  if (!takesProviderArgument(tool)) return schema
  const forms = Map.groupBy(
    offersOf(tool).flatMap(({ definition }) => Object.entries(propertiesOf(inputSchemaOf(definition)))),
    ([name]) => name,
  )
  const properties = [...forms].map(([name, all]) => [name, anyOf(all.map(([, form]) => form))])
  const choice = { enum: tool.entry.providers, description: 'The model provider that is to serve the call' }
  return { ...schema, properties: { ...Object.fromEntries(properties), [PROVIDER_ARGUMENT]: choice } }
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {}
}

function anyOf(forms: readonly unknown[]): unknown {
  const distinct = forms.filter((form, at) => forms.findIndex((other) => isDeepStrictEqual(other, form)) === at)
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct }
}
