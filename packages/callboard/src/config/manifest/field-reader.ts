/** Reads the fields of one mapping of a manifest, each by itself, so that a wrong one hides no fault of another. */
import type { z } from 'zod'
import { explainIssue, unknownKey } from '../explain-issue.ts'
import { entryOf, pathText, type SourceEntry, type SourceNode, type SourcePath } from '../source-node.ts'
import { isReservedName } from './check-tree.ts'
import type { Findings } from './findings.ts'
import type { FieldSchemas } from './manifest-schema.ts'
import { plainValue } from './plain-value.ts'
import type { Rule } from './rules.ts'

/** What a reader of YAML 1.1, or a person, takes for true or false. */
const BOOLEAN_WORD = /^(?:y|n|yes|no|on|off|true|false)$/i

/** Which rules the values of a mapping are held to. */
export interface ValueRules {
  /** A value of another type. */
  readonly malformed: Rule
  /** A key that is missing. */
  readonly missing: Rule
  /** A value of the right type that does not fit, by key; else it is `malformed`. */
  readonly format: Readonly<Record<string, Rule>>
}

type MapNode = SourceNode & { readonly kind: 'map' }

export interface ReaderParts<Fields> {
  readonly node: MapNode
  readonly path: SourcePath
  readonly schemas: FieldSchemas<Fields>
  readonly rules: ValueRules
  readonly findings: Findings
}

export class FieldReader<Fields> {
  readonly node: MapNode
  readonly path: SourcePath
  readonly #schemas: FieldSchemas<Fields>
  readonly #rules: ValueRules
  readonly #findings: Findings

  constructor({ node, path, schemas, rules, findings }: ReaderParts<Fields>) {
    this.node = node
    this.path = path
    this.#schemas = schemas
    this.#rules = rules
    this.#findings = findings
  }

  /** The value of a field; undefined when it is absent or wrong, which is found. */
  take<Key extends keyof Fields & string>(key: Key): Fields[Key] | undefined {
    const entry = entryOf(this.node, key)
    const place = { key, path: [...this.path, key], node: entry?.value ?? this.node }
    return this.#checked(this.#schemas[key], entry && plainValue(entry.value), place)
  }

  /** The items of a field that is a list, each with its path; empty when it is absent or no list. */
  items(key: keyof Fields & string): readonly { readonly node: SourceNode; readonly path: SourcePath }[] {
    this.take(key)
    const value = this.entry(key)?.value
    if (value?.kind !== 'list') return []
    return value.items.map((node, index) => ({ node, path: [...this.path, key, index] }))
  }

  /** The values of a list that fit, with their places. */
  takeItems<Value>(
    key: keyof Fields & string,
    schema: z.ZodType<Value>,
  ): readonly { readonly value: Value; readonly node: SourceNode; readonly path: SourcePath }[] {
    return this.items(key).flatMap(({ node, path }) => {
      const value = this.#checked(schema, plainValue(node), { key, path, node })
      return value === undefined ? [] : [{ value, node, path }]
    })
  }

  /** The entry as it is written. */
  entry(key: keyof Fields & string): SourceEntry | undefined {
    return entryOf(this.node, key)
  }

  /** Finds something at the value of a field, or at the mapping where it is absent. */
  refuse(rule: Rule, key: keyof Fields & string, message: string): void {
    const offset = this.entry(key)?.value.start ?? this.node.start
    this.#findings.add(rule, offset, `${pathText([...this.path, key])}: ${message}`)
  }

  /** Finds each key that is no field, save those that `isOther` knows. */
  refuseUnknown(rule: Rule, isOther: (key: string) => boolean = () => false): void {
    const known = Object.keys(this.#schemas)
    for (const { key, keyStart } of this.node.entries) {
      // A merge key and names that nothing may have are found for what they are.
      if (key === '<<' || isReservedName(key) || known.includes(key) || isOther(key)) continue
      this.#findings.add(rule, keyStart, unknownKey([...this.path, key], known).message())
    }
  }

  #checked<Value>(
    schema: z.ZodType<Value>,
    value: unknown,
    { key, path, node }: { readonly key: string; readonly path: SourcePath; readonly node: SourceNode },
  ): Value | undefined {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    for (const issue of result.error.issues)
      for (const fault of explainIssue(issue, { path, value, knownKeys: () => [] }))
        this.#findings.add(this.#ruleOf(issue, value, key), node.start, fault.message())
    return undefined
  }

  #ruleOf(issue: z.core.$ZodIssue, value: unknown, key: string): Rule {
    const { malformed, missing, format } = this.#rules
    if (value === undefined) return missing
    if (issue.code !== 'invalid_type') return format[key] ?? malformed
    if (issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return 'yaml.text'
    const isWord = typeof value === 'string' && BOOLEAN_WORD.test(value)
    return issue.expected === 'boolean' && isWord ? 'yaml.boolean' : malformed
  }
}
