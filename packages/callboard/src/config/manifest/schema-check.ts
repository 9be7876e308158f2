/**
 * Checks the JSON Schemas of a manifest's tools: that calls can be checked against them, and that clients take them.
 */
import type { JsonSchema } from '@callboard/sdk'
import { messageOf } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { type PreparedSchema, prepareSchema } from '../../tools/schema/prepare-schema.ts'
import { childOf, entryOf, pathText, type SourceNode, type SourcePath } from '../source-node.ts'
import type { Findings } from './findings.ts'
import { ARGUMENT_NAME } from './manifest-names.ts'
import { plainValue } from './plain-value.ts'
import { schemaPlaces } from './schema-places.ts'

/** Of all schemas of a manifest together; at these limits they take a third of a second. */
const LIMITS = { subschemas: 20_000, instructions: 60_000 } as const

/** What a schema costs that is too large to be measured. */
const REFUSED_SUBSCHEMAS = 2_000

const UNIONS = ['oneOf', 'anyOf', 'allOf'] as const

/** Checks the schemas of one manifest, one after the other. */
export class SchemaCheck {
  readonly #findings: Findings
  #subschemas = 0
  #instructions = 0

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** The schema of a tool's arguments, which goes to the APIs of models with the tool. */
  input(node: SourceNode, path: SourcePath): JsonSchema | undefined {
    for (const keyword of UNIONS) {
      const entry = entryOf(node, keyword)
      if (entry !== undefined)
        this.#findings.add(
          'tools.schema.union',
          entry.keyStart,
          `${pathText([...path, keyword])}: several clients refuse a tool with ${keyword} at the top of its schema; list all properties, and say in the description which go together`,
        )
    }
    for (const { text, offset, path: place } of schemaPlaces(node, path).properties)
      if (!ARGUMENT_NAME.test(text))
        this.#findings.add(
          'tools.schema.key',
          offset,
          `${pathText(place)}: the APIs of models refuse this name; expected 1 to 64 of the characters A-Z a-z 0-9 _ . -`,
        )
    return this.output(node, path)
  }

  /** The schema of a tool's structured result. */
  output(node: SourceNode, path: SourcePath): JsonSchema | undefined {
    const schema = plainValue(node)
    if (!isObject(schema)) return undefined
    if (schema.type !== 'object')
      this.#findings.add(
        'tools.schema.object',
        childOf(node, 'type')?.start ?? node.start,
        `${pathText([...path, 'type'])}: expected \`type: object\`, since every client wants it at the top of a schema`,
      )
    const prepared = this.#prepared(schema, node, path)
    if (prepared !== undefined) this.#tellPatterns(prepared, node, path)
    return schema
  }

  #prepared(schema: JsonSchema, node: SourceNode, path: SourcePath): PreparedSchema | undefined {
    const unusable = (why: string): undefined => {
      this.#findings.add('tools.schema.unusable', node.start, `${pathText(path)}: ${why}`)
    }
    if (this.#subschemas > LIMITS.subschemas || this.#instructions > LIMITS.instructions)
      return unusable('the schemas of this manifest are too large together; divide it into several plugins')
    try {
      const prepared = prepareSchema(schema)
      this.#subschemas += prepared.subschemas
      for (const { size } of prepared.patterns.values()) this.#instructions += size
      if (prepared.notes.length > 0) unusable(`it has ${prepared.notes.join(', ')}`)
      return prepared
    } catch (error) {
      this.#subschemas += REFUSED_SUBSCHEMAS
      return unusable(`calls cannot be checked against it: ${messageOf(error)}`)
    }
  }

  #tellPatterns({ refusedPatterns }: PreparedSchema, node: SourceNode, path: SourcePath): void {
    if (refusedPatterns.size === 0) return
    const places = schemaPlaces(node, path).patterns
    for (const [source, why] of refusedPatterns) {
      const found = places.filter(({ text }) => text === source)
      for (const { offset, path: place } of found.length > 0 ? found : [{ offset: node.start, path }])
        this.#findings.add(
          'tools.schema.pattern',
          offset,
          `${pathText(place)}: this pattern is not evaluated, since ${why}; write one without it`,
        )
    }
  }
}
