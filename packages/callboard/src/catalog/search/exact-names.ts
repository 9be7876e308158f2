/** Finds the tools whose name is just what was typed, `_ - . /` and spaces being alike and case of no matter. */
import { MAX_TOOLS } from './ranked-matches.ts'
import type { SearchableTool } from './searchable-tool.ts'

/** How a name equals what was typed. `other…`: its declared or namespaced name does. */
export type Exactness = 'literal' | 'alike' | 'otherLiteral' | 'otherAlike'

const HASHES = 2 ** 30

/** Each name as one number, its hash and then its tool's position, in ascending order: 24 bytes a tool, nothing to collide badly. */
export class ExactNames {
  readonly #tools: readonly SearchableTool[]
  readonly #keys: Float64Array

  constructor(tools: readonly SearchableTool[]) {
    this.#tools = tools
    this.#keys = new Float64Array(tools.length * 3)
    for (const [position, { entry }] of tools.entries()) {
      for (const [i, name] of [entry.name, entry.declaredName, entry.namespacedName].entries()) {
        this.#keys[position * 3 + i] = hash(alike(name)) * MAX_TOOLS + position
      }
    }
    this.#keys.sort()
  }

  /** Calls `visit` for each such tool once, in ascending order of position. */
  forEach(typed: string, visit: (position: number, exactness: Exactness) => void): void {
    const wanted = alike(typed)
    const from = hash(wanted) * MAX_TOOLS
    let last = -1
    for (let i = this.#placeOf(from); i < this.#keys.length; i++) {
      const position = (this.#keys[i] ?? 0) - from
      if (position >= MAX_TOOLS) return
      const exactness = position === last ? undefined : this.#exactness(position, typed, wanted)
      last = position
      if (exactness) visit(position, exactness)
    }
  }

  #exactness(position: number, typed: string, wanted: string): Exactness | undefined {
    const entry = this.#tools[position]?.entry
    if (!entry) return undefined
    const others = [entry.declaredName, entry.namespacedName]
    if (entry.name.toLowerCase() === typed.toLowerCase()) return 'literal'
    if (alike(entry.name) === wanted) return 'alike'
    if (others.some((name) => name.toLowerCase() === typed.toLowerCase())) return 'otherLiteral'
    return others.some((name) => alike(name) === wanted) ? 'otherAlike' : undefined
  }

  #placeOf(key: number): number {
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
