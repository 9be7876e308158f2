/** Turns a tool's schema, whoever wrote it, into one that is safe and cheap to compile. */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'
import { copyPlainKeywords, costOf, isNames } from './json-schema-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import { measureJson } from './measure-json.ts'
import { namesTo } from './names-to.ts'
import { pathText } from './path-text.ts'
import { PatternSet } from './pattern-set.ts'
import { type SchemaReferences, schemaReferences } from './schema-references.ts'

/**
 * The largest schemas of real servers have some hundred subschemas, twenty levels and 100 kB. Compiling takes about 60
 * µs a subschema, so a schema at these limits stops the host for 120 ms, once.
 */
const LIMITS = { depth: 64, values: 50_000, characters: 1_000_000, subschemas: 2_000 } as const

/** The dialects that are understood, by the address without scheme and `#`. */
const DIALECTS: ReadonlyMap<string, number> = new Map([
  ['json-schema.org/draft-04/schema', 4],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft/2020-12/schema', 2020],
])

/** A schema in 2020-12, and what of the original it leaves out. */
export interface PreparedSchema {
  /** Holds keywords of known shape only, references to `#` and `#/$defs/…` only, and in each subschema its `cost`. */
  readonly schema: JsonSchema
  /** The patterns that stand in it. */
  readonly patterns: ReadonlyMap<string, LinearPattern>
  /** By how much a step of a check may be dearer than `cost` says. */
  readonly costFactor: number
  /** What is not checked and why, but for the patterns. */
  readonly notes: readonly string[]
  /** Why some patterns are not evaluated, by source. */
  readonly refusedPatterns: ReadonlyMap<string, string>
  readonly subschemas: number
}

/**
 * Rewrites a schema of any known dialect by an allow-list: what is not known to be harmless does not reach the
 * compiler. Whatever is left out makes the result admit more than the original, never less. Throws, in words, when
 * nothing can be made of it: an unknown dialect, references out of it, more than the limits.
 */
export function prepareSchema(root: JsonSchema): PreparedSchema {
  const size = measureJson(root, LIMITS.depth)
  if (size === undefined) throw new Error(`it is deeper than ${LIMITS.depth} levels`)
  if (size.values > LIMITS.values || size.characters > LIMITS.characters)
    throw new Error(`it has more than ${LIMITS.values} values or ${LIMITS.characters} characters`)
  const patterns = new PatternSet()
  const exact = new Preparation(root, patterns, false).run()
  const { notes, refusedPatterns } = exact
  if (notes.length === 0 && refusedPatterns.size === 0) return exact
  return { ...new Preparation(root, patterns, true).run(), notes, refusedPatterns }
}

/**
 * One rewriting. With `loose`, keywords under which admitting more would mean admitting less (`not`, `if`, `oneOf` and
 * the like) are left out too; that is for a schema of which something is left out.
 */
class Preparation {
  readonly #root: JsonSchema
  readonly #patterns: PatternSet
  readonly #loose: boolean
  readonly #dialect: number
  readonly #references: SchemaReferences
  readonly #notes = new Set<string>()
  /** The keywords that were of the wrong type somewhere. */
  readonly #refused = new Set<string>()
  readonly #refusedPatterns = new Map<string, string>()
  /** What each target of a reference is called. */
  readonly #targets = new Map<unknown, string>()
  #subschemas = 0
  #names = 0
  #hasUnevaluated = false

  constructor(root: JsonSchema, patterns: PatternSet, loose: boolean) {
    this.#root = root
    this.#patterns = patterns
    this.#loose = loose
    this.#dialect = dialectOf(root)
    this.#references = schemaReferences(root, this.#dialect === 4 ? 'id' : '$id')
  }

  run(): PreparedSchema {
    this.#targets.set(this.#root, '#')
    const $defs: Record<string, unknown> = {}
    let schema: JsonSchema = {}
    // The map grows while it is walked: each target may refer to more.
    for (const [target, pointer] of this.#targets) {
      const prepared = this.#subschema(target)
      if (target !== this.#root) $defs[pointer.slice('#/$defs/'.length)] = prepared
      else if (typeof prepared === 'object') schema = prepared
    }
    return {
      schema: this.#targets.size > 1 ? { ...schema, $defs } : schema,
      patterns: this.#patterns.compiled,
      costFactor: this.#hasUnevaluated ? this.#names + 1 : 1,
      notes: [...this.#notes],
      refusedPatterns: this.#refusedPatterns,
      subschemas: this.#subschemas,
    }
  }

  #subschema(node: unknown): JsonSchema | boolean {
    if (typeof node === 'boolean') return node
    if (!isObject(node)) {
      this.#notes.add('a subschema that is neither an object nor a boolean')
      return true
    }
    if (++this.#subschemas > LIMITS.subschemas) throw new Error(`it has more than ${LIMITS.subschemas} subschemas`)
    const schema: Record<string, unknown> = {}
    this.#copyReferences(node, schema)
    // Up to draft-07 whatever stands beside a reference means nothing.
    if (schema.$ref === undefined || this.#dialect > 7) {
      copyPlainKeywords(node, schema, (keyword) => this.#refuse(keyword, node))
      if (typeof node.pattern === 'string' && this.#takesPattern(node.pattern)) schema.pattern = node.pattern
      this.#copyObjectKeywords(node, schema)
      this.#copyArrayKeywords(node, schema)
      this.#copyLogic(node, schema)
    }
    if (Object.keys(schema).length > 0) schema.cost = costOf(schema)
    return schema
  }

  #copyReferences(node: JsonSchema, schema: Record<string, unknown>): void {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = node[keyword]
      if (typeof reference !== 'string') continue
      if (keyword !== '$ref' && this.#references.hasEmbedded) {
        this.#notes.add(`a "${keyword}" among schemas with ids of their own`)
        continue
      }
      const target = this.#references.resolve(reference, node)
      const pointer = this.#targets.get(target) ?? `#/$defs/${this.#targets.size}`
      this.#targets.set(target, pointer)
      if (schema.$ref === undefined) schema.$ref = pointer
      else schema.allOf = [{ $ref: pointer }]
    }
  }

  #copyObjectKeywords(node: JsonSchema, schema: Record<string, unknown>): void {
    const patternProperties: Record<string, unknown> = {}
    for (const [source, value] of members(node.patternProperties)) {
      // As a name it would set the prototype of what is built here; as a group it is only text.
      const pattern = source === '__proto__' ? '(?:__proto__)' : source
      const subschema = this.#subschema(value)
      if (this.#takesPattern(pattern)) patternProperties[pattern] = subschema
      // The empty pattern matches every name, so that none counts as additional.
      else if (this.#takesPattern('')) patternProperties[''] = true
    }
    const properties: Record<string, unknown> = {}
    for (const [name, value] of members(node.properties)) {
      this.#names++
      if (name !== '__proto__') properties[name] = this.#subschema(value)
      else if (this.#takesPattern('^__proto__$')) patternProperties['^__proto__$'] = this.#subschema(value)
    }
    if (Object.keys(properties).length > 0) schema.properties = properties
    if (Object.keys(patternProperties).length > 0) schema.patternProperties = patternProperties
    this.#copyEach(node, schema, ['additionalProperties', 'propertyNames'])
    if (!this.#loose && this.#copyEach(node, schema, ['unevaluatedProperties'])) this.#hasUnevaluated = true
    this.#copyDependencies(node, schema)
  }

  #copyDependencies(node: JsonSchema, schema: Record<string, unknown>): void {
    const required: Record<string, unknown> = {}
    const schemas: Record<string, unknown> = {}
    for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas'])
      for (const [name, value] of members(node[keyword])) {
        if (name === '__proto__') this.#notes.add('what depends on a property "__proto__"')
        else if (!Array.isArray(value)) schemas[name] = this.#subschema(value)
        else if (isNames(value)) required[name] = value
        else this.#refuse(keyword, node)
      }
    if (Object.keys(required).length > 0) schema.dependentRequired = required
    if (Object.keys(schemas).length > 0) schema.dependentSchemas = schemas
  }

  /** Up to 2019-09 `items` may be a list, and `additionalItems` is what comes after it. */
  #copyArrayKeywords(node: JsonSchema, schema: Record<string, unknown>): void {
    const isTuple = Array.isArray(node.items)
    this.#append('prefixItems', this.#list(isTuple ? 'items' : 'prefixItems', node), schema)
    const items = isTuple ? node.additionalItems : node.items
    if (items !== undefined) schema.items = this.#subschema(items)
    this.#copyEach(node, schema, ['contains'])
    if (this.#loose) delete schema.maxContains
    else if (this.#copyEach(node, schema, ['unevaluatedItems'])) this.#hasUnevaluated = true
  }

  #copyLogic(node: JsonSchema, schema: Record<string, unknown>): void {
    for (const keyword of ['allOf', 'anyOf']) this.#append(keyword, this.#list(keyword, node), schema)
    if (!this.#loose) {
      this.#append('oneOf', this.#list('oneOf', node), schema)
      this.#copyEach(node, schema, ['not'])
      if (node.if !== undefined) this.#copyEach(node, schema, ['if', 'then', 'else'])
    } else if (Array.isArray(node.oneOf)) {
      this.#append('allOf', [{ anyOf: node.oneOf }], schema)
    }
  }

  #list(keyword: string, node: JsonSchema): readonly unknown[] {
    const list = node[keyword]
    if (Array.isArray(list)) return list
    if (list !== undefined) this.#refuse(keyword, node)
    return []
  }

  #append(keyword: string, list: readonly unknown[], schema: Record<string, unknown>): void {
    const before = Array.isArray(schema[keyword]) ? schema[keyword] : []
    if (list.length > 0) schema[keyword] = [...before, ...list.map((node) => this.#subschema(node))]
  }

  #copyEach(node: JsonSchema, schema: Record<string, unknown>, keywords: readonly string[]): boolean {
    const present = keywords.filter((keyword) => node[keyword] !== undefined)
    for (const keyword of present) schema[keyword] = this.#subschema(node[keyword])
    return present.length > 0
  }

  /** One place of a keyword is enough to look at, and a hostile schema has thousands. */
  #refuse(keyword: string, node: JsonSchema): void {
    if (this.#refused.has(keyword)) return
    this.#refused.add(keyword)
    const place = namesTo(node, this.#root) ?? []
    this.#notes.add(`a "${keyword}" of the wrong type (${pathText([...place, keyword])})`)
  }

  #takesPattern(source: string): boolean {
    const fault = this.#patterns.add(source)
    if (fault !== undefined) this.#refusedPatterns.set(source, fault)
    return fault === undefined
  }
}

/** The year or number of the dialect; 2020-12 where the schema names none. */
function dialectOf(root: JsonSchema): number {
  if (typeof root.$schema !== 'string') return 2020
  const dialect = DIALECTS.get(root.$schema.replace(/^https?:\/\//, '').replace(/#$/, ''))
  if (dialect === undefined) throw new Error(`its dialect ${JSON.stringify(root.$schema.slice(0, 100))} is not known`)
  return dialect
}

function members(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}
