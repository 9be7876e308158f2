/** Which arguments of a tool are secret by its schema. */
import { schemaReferences } from '../../tools/schema/schema-references.ts'

type Fields = Readonly<Record<string, unknown>>

/** Keywords whose values are data, or schemas that mean nothing before something refers to them. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'example',
  'examples',
  'propertyNames',
  '$defs',
  'definitions',
])
/** Of a schema that is larger or deeper than this every argument is taken for secret. */
const MOST_SCHEMAS = 20_000
const DEEPEST = 100

/**
 * The names of the arguments that hold, at whatever depth, something that the schema marks with `format: password` or
 * `writeOnly`; `all` where it can't be said which. A name counts wherever it stands: too much is hidden rather than too
 * little.
 */
export function secretNames(schema: Fields): ReadonlySet<string> | 'all' {
  const search = new Search(schema)
  return search.visit(schema, undefined, 0) ? search.names : 'all'
}

class Search {
  readonly names = new Set<string>()
  readonly #references: ReturnType<typeof schemaReferences>
  /** The names under which each schema was looked at. */
  readonly #visited = new Map<object, Set<string | undefined>>()
  #visits = 0

  constructor(root: Fields) {
    this.#references = schemaReferences(root)
  }

  /**
   * Looks at a schema, or a list or mapping of schemas, that `name` leads to. Answers whether it could be said which
   * are secret.
   */
  visit(part: unknown, name: string | undefined, depth: number): boolean {
    if (typeof part !== 'object' || part === null) return true
    if (!this.#isNew(part, name)) return true
    this.#visits += 1
    if (this.#visits > MOST_SCHEMAS || depth > DEEPEST) return false
    const inner = depth + 1
    if (Array.isArray(part)) return part.every((item) => this.visit(item, name, inner))
    const fields: Fields = { ...part }
    if (fields.format === 'password' || fields.writeOnly === true) return this.#mark(name)
    return Object.entries(fields).every(([keyword, value]) => {
      if (PASSED_OVER.has(keyword)) return true
      if (keyword === 'properties') return this.#visitProperties(value, inner)
      if ((keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string')
        return this.#follow(value, part, name, inner)
      return this.visit(value, name, inner)
    })
  }

  #visitProperties(properties: unknown, depth: number): boolean {
    return Object.entries(Object(properties)).every(([name, schema]) => this.visit(schema, name, depth))
  }

  #follow(reference: string, holder: object, name: string | undefined, depth: number): boolean {
    let target: unknown
    try {
      target = this.#references.resolve(reference, holder)
    } catch {
      // What it would have said is not known, so that is taken for secret which it would have been said of.
      return this.#mark(name)
    }
    return this.visit(target, name, depth)
  }

  #mark(name: string | undefined): boolean {
    if (name === undefined) return false
    this.names.add(name)
    return true
  }

  #isNew(part: object, name: string | undefined): boolean {
    const names = this.#visited.get(part) ?? new Set()
    this.#visited.set(part, names)
    if (names.has(name)) return false
    names.add(name)
    return true
  }
}
