/** Finds plain names that are, letter for letter, the hashed name that another tool has or would have. */
import { GroupMap } from './group-map.ts'
import { hashedName, hashedNameStem } from './names.ts'

/** A tool whose hashed name may have a lookalike. */
export interface HashableTool {
  readonly namespacedName: string
  /** The plain name, or as much of it as a hashed name keeps. */
  readonly text: string
}

/**
 * Lookalikes of the hashed names of one length. Only plain names that end like a hash cost anything: without one, no
 * tool is indexed or hashed; with one, only the tools that share its stem are hashed.
 */
export class HashLookalikes<T extends HashableTool> {
  readonly #digits: number
  readonly #maxLength: number
  readonly #shape: RegExp
  readonly #tools: () => Iterable<T>
  /** By stem, the plain names that look like a hashed name. */
  readonly #watched = new Map<string, Set<string>>()
  /** Every tool by its stem; there only while a stem is watched. */
  #byStem: GroupMap<T> | undefined
  /** The tools of the watched stems by their hashed names. */
  readonly #byHashedName = new GroupMap<T>()

  /** `tools` gives all tools that have been added and not removed. */
  constructor(digits: number, maxLength: number, tools: () => Iterable<T>) {
    this.#digits = digits
    this.#maxLength = maxLength
    this.#shape = new RegExp(`-[0-9a-f]{${digits}}$`)
    this.#tools = tools
  }

  /** Counts a tool in. Returns the plain name in use of which it is a new partner. */
  addTool(tool: T): string | undefined {
    if (this.#byStem === undefined) return undefined
    const stem = this.#stemOf(tool)
    this.#byStem.add(stem, tool)
    const lookalikes = this.#watched.get(stem)
    if (lookalikes === undefined) return undefined
    const name = this.#hashedNameOf(tool)
    this.#byHashedName.add(name, tool)
    return lookalikes.has(name) ? name : undefined
  }

  /** Counts a tool out. Returns the plain name in use of which it was a partner. */
  removeTool(tool: T): string | undefined {
    if (this.#byStem === undefined) return undefined
    const stem = this.#stemOf(tool)
    this.#byStem.remove(stem, tool)
    const lookalikes = this.#watched.get(stem)
    if (lookalikes === undefined) return undefined
    const name = this.#hashedNameOf(tool)
    this.#byHashedName.remove(name, tool)
    return lookalikes.has(name) ? name : undefined
  }

  /** Takes note that a plain name is in use; to be called for the first tool that has it, once that is counted in. */
  addPlainName(name: string): void {
    if (!this.#shape.test(name)) return
    const stem = this.#stemIn(name)
    const lookalikes = this.#watched.get(stem)
    if (lookalikes !== undefined) {
      lookalikes.add(name)
      return
    }
    this.#watched.set(stem, new Set([name]))
    for (const tool of this.#index().values(stem)) this.#byHashedName.add(this.#hashedNameOf(tool), tool)
  }

  /** Takes note that a plain name is no longer in use; to be called for its last tool, before that is counted out. */
  removePlainName(name: string): void {
    if (!this.#shape.test(name)) return
    const stem = this.#stemIn(name)
    const lookalikes = this.#watched.get(stem)
    if (lookalikes === undefined) return
    lookalikes.delete(name)
    if (lookalikes.size > 0) return
    this.#watched.delete(stem)
    for (const tool of this.#index().values(stem)) this.#byHashedName.remove(this.#hashedNameOf(tool), tool)
    if (this.#watched.size === 0) this.#byStem = undefined
  }

  /**
   * A tool other than `tool` whose hashed name is this plain name of `tool`; of several, the first by namespaced name.
   */
  partnerOf(tool: T, plainName: string): T | undefined {
    let first: T | undefined
    for (const other of this.#byHashedName.values(plainName)) {
      if (other !== tool && (first === undefined || other.namespacedName < first.namespacedName)) first = other
    }
    return first
  }

  #index(): GroupMap<T> {
    if (this.#byStem !== undefined) return this.#byStem
    const index = new GroupMap<T>()
    for (const tool of this.#tools()) index.add(this.#stemOf(tool), tool)
    this.#byStem = index
    return index
  }

  #stemIn(name: string): string {
    return name.slice(0, -1 - this.#digits)
  }

  #stemOf(tool: T): string {
    return hashedNameStem(tool.text, this.#digits, this.#maxLength)
  }

  #hashedNameOf(tool: T): string {
    return hashedName(tool.text, tool.namespacedName, this.#digits, this.#maxLength)
  }
}
