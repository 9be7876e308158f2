/** Finds the tools whose name is just what was typed, `_ - . /` and spaces being alike and case of no matter. */
import { MAX_TOOLS } from './ranked-matches.ts'
import type { SearchableTool } from './searchable-tool.ts'

/** How a name equals what was typed. `other…`: its declared or namespaced name does. */
export type Exactness = 'literal' | 'alike' | 'otherLiteral' | 'otherAlike'

const HASHES = 2 ** 30

/** What was typed, in the forms in which names are compared with it; worked out once for many lists. */
export interface TypedName {
  readonly lowerCase: string
  readonly alike: string
  readonly hash: number
}

export function typedName(text: string): TypedName {
  const form = alike(text)
  return { lowerCase: text.toLowerCase(), alike: form, hash: hash(form) }
}

/** Each name as one number, its hash and then its tool's place in the list, in ascending order: 24 bytes a tool, nothing to collide badly. */
export class ExactNames {
  readonly #tools: readonly (SearchableTool | undefined)[]
  readonly #keys: Float64Array

  /** @param tools at most 8,388,608; one that is gone from the list later is not found any more */
  constructor(tools: readonly (SearchableTool | undefined)[]) {
    this.#tools = tools
    this.#keys = new Float64Array(tools.length * 3)
    for (const [place, tool] of tools.entries()) {
      if (!tool) continue
      const { name, declaredName, namespacedName } = tool.entry
      for (const [i, one] of [name, declaredName, namespacedName].entries()) {
        this.#keys[place * 3 + i] = hash(alike(one)) * MAX_TOOLS + place
      }
    }
    this.#keys.sort()
  }

  /** Calls `visit` for each such tool once, in the order of the list. */
  forEach(typed: TypedName, visit: (place: number, exactness: Exactness) => void): void {
    const from = typed.hash * MAX_TOOLS
    let last = -1
    for (let i = this.#firstAt(from); i < this.#keys.length; i++) {
      const place = (this.#keys[i] ?? 0) - from
      if (place >= MAX_TOOLS) return
      const exactness = place === last ? undefined : this.#exactness(place, typed)
      last = place
      if (exactness) visit(place, exactness)
    }
  }

  #exactness(place: number, typed: TypedName): Exactness | undefined {
    const entry = this.#tools[place]?.entry
    if (!entry) return undefined
    const others = [entry.declaredName, entry.namespacedName]
    if (entry.name.toLowerCase() === typed.lowerCase) return 'literal'
    if (alike(entry.name) === typed.alike) return 'alike'
    if (others.some((name) => name.toLowerCase() === typed.lowerCase)) return 'otherLiteral'
    return others.some((name) => alike(name) === typed.alike) ? 'otherAlike' : undefined
  }

  #firstAt(key: number): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

function alike(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_\-./]+/g, ' ')
    .trim()
}

/** FNV-1a over code units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0) % HASHES
}
