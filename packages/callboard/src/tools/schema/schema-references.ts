/** Where the references of one schema lead: to `$id`s, anchors and JSON Pointers inside it, never outside. */
import { followPointer } from '../../tools/follow-pointer.ts'

/** The base of a schema without an id of its own; no document has this address. */
const NO_ID = 'callboard:/schema'

/** Keywords whose values are data and not schemas, whatever stands in them. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** Finds the targets of references. */
export interface SchemaReferences {
  /**
   * What the reference that stands in `holder` means. Throws, in words, when nothing in the schema has that address.
   */
  resolve(reference: string, holder: object): unknown
  /** Whether schemas with an id of their own stand inside the schema. */
  readonly hasEmbedded: boolean
}

/**
 * Reads a schema's ids and anchors once. `idKeyword` is `id` in draft-04 and `$id` ever since. The schema must be
 * shallow enough for recursion.
 */
export function schemaReferences(
  root: Readonly<Record<string, unknown>>,
  idKeyword: '$id' | 'id' = '$id',
): SchemaReferences {
  const index = new Index(root, idKeyword)
  return {
    hasEmbedded: index.hasEmbedded,
    resolve(reference: string, holder: object): unknown {
      const target = index.find(reference, holder)
      if (target === undefined)
        throw new Error(
          `"$ref" ${JSON.stringify(reference.slice(0, 100))} leads out of the schema, and nothing is fetched`,
        )
      return target
    },
  }
}

class Index {
  readonly #idKeyword: string
  readonly #byAddress = new Map<string, object>()
  readonly #bases = new Map<object, string>()
  readonly #root: object
  hasEmbedded = false

  constructor(root: object, idKeyword: string) {
    this.#idKeyword = idKeyword
    this.#root = root
    this.#byAddress.set(NO_ID, root)
    this.#add(root, NO_ID)
  }

  /** Everything in a value that may be a schema. What is not one has no ids and does no harm. */
  #add(value: unknown, base: string): void {
    if (typeof value !== 'object' || value === null) return
    const inner = Array.isArray(value) ? base : this.#register(value, base)
    this.#bases.set(value, inner)
    for (const [keyword, part] of Object.entries(value)) if (!DATA_KEYWORDS.has(keyword)) this.#add(part, inner)
  }

  find(reference: string, holder: object): unknown {
    const url = URL.parse(reference, this.#bases.get(holder) ?? NO_ID)
    if (url === null) return undefined
    const [address, fragment] = split(url.href)
    if (!fragment.startsWith('/')) return this.#byAddress.get(join(address, fragment))
    return followPointer(this.#byAddress.get(address), fragment)
  }

  /** Notes the addresses of a schema and returns the base of what stands in it. Older dialects spell anchors as ids. */
  #register(schema: object, base: string): string {
    const members = Object.entries(schema).filter((member): member is [string, string] => typeof member[1] === 'string')
    let inner = base
    for (const [keyword, value] of members) {
      const url = keyword === this.#idKeyword ? URL.parse(value, base) : null
      if (url === null) continue
      const [address, fragment] = split(url.href)
      if (fragment === '') {
        inner = address
        this.hasEmbedded ||= schema !== this.#root
      }
      this.#byAddress.set(join(address, fragment), schema)
    }
    for (const [keyword, value] of members)
      if (keyword === '$anchor' || keyword === '$dynamicAnchor') this.#byAddress.set(join(inner, value), schema)
    return inner
  }
}

function split(address: string): [address: string, fragment: string] {
  const hash = address.indexOf('#')
  return hash < 0 ? [address, ''] : [address.slice(0, hash), address.slice(hash + 1)]
}

function join(address: string, fragment: string): string {
  return fragment === '' ? address : `${address}#${fragment}`
}
