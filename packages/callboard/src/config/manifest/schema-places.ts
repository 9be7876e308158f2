/** Where in a JSON Schema, as it is written in a document, the patterns and the names of properties stand. */
import type { SourceEntry, SourceNode, SourcePath } from '../source-node.ts'

/** Keywords that hold schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords that hold a schema, or a list of them. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
])

interface SchemaPlace {
  /** The pattern, or the name of the property. */
  readonly text: string
  readonly offset: number
  readonly path: SourcePath
}

export interface SchemaPlaces {
  readonly patterns: readonly SchemaPlace[]
  readonly properties: readonly SchemaPlace[]
}

/**
 * Finds them in the schema at `path`, at every depth. Values that are data, such as those of `default`, are left alone.
 */
export function schemaPlaces(schema: SourceNode, path: SourcePath): SchemaPlaces {
  const patterns: SchemaPlace[] = []
  const properties: SchemaPlace[] = []
  const walkMap = (entries: readonly SourceEntry[], path: SourcePath): void => {
    for (const { key, keyStart, value } of entries) {
      const here = [...path, key]
      const keyword = path.at(-1)
      if (keyword === 'properties') properties.push({ text: key, offset: keyStart, path: here })
      if (keyword === 'patternProperties') patterns.push({ text: key, offset: keyStart, path: here })
      walk(value, here)
    }
  }
  const walk = (node: SourceNode, path: SourcePath): void => {
    if (node.kind === 'list') for (const [at, item] of node.items.entries()) walk(item, [...path, at])
    if (node.kind !== 'map') return
    for (const { key, value } of node.entries) {
      const here = [...path, key]
      if (MAPS.has(key) && value.kind === 'map') walkMap(value.entries, here)
      else if (SCHEMAS.has(key)) walk(value, here)
      else if (key === 'pattern' && value.kind === 'scalar' && typeof value.value === 'string')
        patterns.push({ text: value.value, offset: value.start, path: here })
    }
  }
  walk(schema, path)
  return { patterns, properties }
}
