/** Finds the tools whose name is just what was typed, `_ - . /` and spaces being alike and case of no matter. */
import { grown, integers } from './grown.ts'
import type { SearchableTool } from './searchable-tool.ts'

/** How a name equals what was typed. `other…`: its declared or namespaced name does. */
export type Exactness = 'literal' | 'alike' | 'otherLiteral' | 'otherAlike'

/** What was typed, in the forms in which names are compared with it. */
export interface TypedName {
  readonly lowerCase: string
  readonly alike: string
  readonly hash: number
}

/** Worked out once, for many names. */
export function typedName(text: string): TypedName {
  return { lowerCase: text.toLowerCase(), alike: alike(text), hash: hashAlike(text) }
}

const NAMES = 3
const CHAINS_AT_FIRST = 64
const FNV_START = 0x811c9dc5
const FNV_FACTOR = 0x01000193

/**
 * A hash table of names whose entries with the same hash are chained, so that ten thousand equal names are nothing
 * special.
 */
export class ExactNames {
  /**
   * By chain: the entry that it begins with, and by entry (slot times `NAMES`, plus name) the next one; both plus one,
   * 0 for none.
   */
  #first = integers(CHAINS_AT_FIRST)
  #next = integers(0)
  #hashes = integers(0)
  #size = 0

  add(slot: number, { entry }: SearchableTool): void {
    const end = (slot + 1) * NAMES
    this.#next = grown(this.#next, end, integers)
    this.#hashes = grown(this.#hashes, end, integers)
    for (const [i, one] of [entry.name, entry.declaredName, entry.namespacedName].entries()) {
      this.#hashes[slot * NAMES + i] = hashAlike(one)
      this.#link(slot * NAMES + i)
      this.#size++
    }
    if (this.#size > this.#first.length) this.#widen()
  }

  remove(slot: number): void {
    for (let entry = slot * NAMES; entry < (slot + 1) * NAMES; entry++) this.#unlink(entry)
    this.#size -= NAMES
  }

  /** Calls `visit` for each such tool, in no particular order, more than once perhaps. */
  forEach(
    typed: TypedName,
    tools: readonly (SearchableTool | undefined)[],
    visit: (slot: number, exactness: Exactness) => void,
  ): void {
    for (let at = this.#first[this.#chainOf(typed.hash)] ?? 0; at !== 0; at = this.#next[at - 1] ?? 0) {
      if (this.#hashes[at - 1] !== typed.hash) continue
      const slot = Math.floor((at - 1) / NAMES)
      const exactness = exactnessOf(tools[slot], typed)
      if (exactness) visit(slot, exactness)
    }
  }

  #chainOf(hashed: number): number {
    return hashed & (this.#first.length - 1)
  }

  #link(entry: number): void {
    const chain = this.#chainOf(this.#hashes[entry] ?? 0)
    this.#next[entry] = this.#first[chain] ?? 0
    this.#first[chain] = entry + 1
  }

  #unlink(entry: number): void {
    const chain = this.#chainOf(this.#hashes[entry] ?? 0)
    const next = this.#next[entry] ?? 0
    if (this.#first[chain] === entry + 1) {
      this.#first[chain] = next
      return
    }
    for (let at = this.#first[chain] ?? 0; at !== 0; at = this.#next[at - 1] ?? 0) {
      if (this.#next[at - 1] !== entry + 1) continue
      this.#next[at - 1] = next
      return
    }
  }

  #widen(): void {
    const before = this.#first
    const next = this.#next.slice()
    this.#first = integers(before.length * 2)
    for (const first of before) {
      for (let at = first; at !== 0; at = next[at - 1] ?? 0) this.#link(at - 1)
    }
  }
}

function exactnessOf(tool: SearchableTool | undefined, typed: TypedName): Exactness | undefined {
  if (!tool) return undefined
  const { name, declaredName, namespacedName } = tool.entry
  const others = [declaredName, namespacedName]
  if (name.toLowerCase() === typed.lowerCase) return 'literal'
  if (alike(name) === typed.alike) return 'alike'
  if (others.some((other) => other.toLowerCase() === typed.lowerCase)) return 'otherLiteral'
  return others.some((other) => alike(other) === typed.alike) ? 'otherAlike' : undefined
}

function alike(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_\-./]+/g, ' ')
    .trim()
}

/**
 * FNV-1a over the code units of the letters in between: the same for names that are alike, without making their common
 * form.
 */
function hashAlike(name: string): number {
  let value = FNV_START
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code >= 128) return hashLower(name.toLowerCase())
    if (!isSeparator(code)) value = Math.imul(value ^ (code >= 65 && code <= 90 ? code + 32 : code), FNV_FACTOR)
  }
  return value >>> 0
}

function hashLower(text: string): number {
  let value = FNV_START
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (!isSeparator(code)) value = Math.imul(value ^ code, FNV_FACTOR)
  }
  return value >>> 0
}

/** All that `alike` takes for one: `_ - . /` and white space. */
function isSeparator(code: number): boolean {
  if (code < 128) return code <= 32 || (code >= 45 && code <= 47) || code === 95
  return WIDE_SPACES.has(code)
}

/** The white space of `\s` beyond ASCII. */
const WIDE_SPACES: ReadonlySet<number> = new Set(
  Array.from(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
    (space) => space.charCodeAt(0),
  ),
)
