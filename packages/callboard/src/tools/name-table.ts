/** Which public name each tool has now: plain where nobody else claims it, else with a hash. */
import { CallboardError } from '../errors.ts'
import { GroupMap } from './group-map.ts'
import { HashLookalikes } from './hash-lookalikes.ts'
import { LostNames } from './lost-names.ts'
import {
  HASH_DIGITS,
  hashedName,
  hashedNameStem,
  isPlainNameUsable,
  MAX_NAME_LENGTH,
  MIN_NAME_LENGTH,
  sanitizeToolName,
} from './names.ts'

/** What a public name is made of. */
export interface NamedTool {
  readonly namespacedName: string
  /** What stands before the declared name. */
  readonly prefix: string
  readonly declaredName: string
}

/** A tool that got another public name because of tools that came or went. */
export interface Renaming {
  readonly namespacedName: string
  readonly from: string
  readonly to: string
}

/** A plain name that more than one tool would have, so that those named here have a hashed one instead. */
export interface NameClash {
  readonly plainName: string
  /** The namespaced names of the tools that lost it, sorted. */
  readonly losers: readonly string[]
  /** The namespaced name of the tool for which it is reserved, or of which it is the hashed name. */
  readonly holder?: string
}

export interface NameTableOptions {
  /** The longest a public name may be; from `MIN_NAME_LENGTH` to `MAX_NAME_LENGTH`. */
  readonly maxLength: number
  /** Public names that one tool only may have, whether it is there or not: its namespaced name by public name. */
  readonly reserved?: ReadonlyMap<string, string>
}

interface Entry {
  readonly namespacedName: string
  /** The plain name, or as much of it as a hashed name keeps. */
  readonly text: string
  /** Whether the tool claims its plain name; `text` is all of it then. */
  readonly claims: boolean
  hashed: boolean
  pending: boolean
  /** Empty until the first settling. */
  name: string
}

/**
 * The public names of all tools. They depend on the set of tools alone, never on the order in which these came. A tool
 * has its plain name unless that is too long, keeps nothing of the declared name, is reserved for another tool, is the
 * plain name of another tool, or is what another tool's hashed name is or would be. Tools whose short hashed names
 * would be equal have long ones.
 */
export class NameTable {
  readonly #maxLength: number
  readonly #reserved: ReadonlyMap<string, string>
  readonly #tools = new Map<string, Entry>()
  /** The tools that claim a plain name. */
  readonly #claims = new GroupMap<Entry>()
  /** The tools that need a hash, by their short hashed name. */
  readonly #shortNames = new GroupMap<Entry>()
  /** The tools that have a hash, by public name. */
  readonly #hashedNames = new Map<string, Entry>()
  readonly #losers = new Set<Entry>()
  readonly #lookalikes: readonly HashLookalikes<Entry>[]
  /** The tools whose name has to be looked at again. */
  #pending: Entry[] = []
  readonly #lostNames = new LostNames((plainName) => this.losersOf(plainName))

  constructor({ maxLength, reserved = new Map() }: NameTableOptions) {
    if (!Number.isInteger(maxLength) || maxLength < MIN_NAME_LENGTH || maxLength > MAX_NAME_LENGTH)
      throw new CallboardError(
        'config',
        `names.maxLength is ${maxLength}; it must be a whole number from ${MIN_NAME_LENGTH} to ${MAX_NAME_LENGTH}`,
      )
    this.#maxLength = maxLength
    this.#reserved = reserved
    const all = () => this.#tools.values()
    this.#lookalikes = [HASH_DIGITS.short, HASH_DIGITS.long].map((digits) => new HashLookalikes(digits, maxLength, all))
  }

  /**
   * Takes tools out and in, in one step; one that is there already is replaced, and a name that is not there is passed
   * over. Returns which of the other tools, those that the change does not name, have another public name now.
   */
  update(change: { readonly remove?: Iterable<string>; readonly add?: Iterable<NamedTool> }): readonly Renaming[] {
    for (const namespacedName of change.remove ?? []) this.#takeOut(namespacedName)
    for (const tool of change.add ?? []) {
      this.#takeOut(tool.namespacedName)
      this.#takeIn(tool)
    }
    return this.#settle()
  }

  /** The public name of a tool; undefined when it is not there. */
  publicName(namespacedName: string): string | undefined {
    return this.#tools.get(namespacedName)?.name
  }

  /** The namespaced name of the tool that has this public name, or this namespaced name. */
  resolve(name: string): string | undefined {
    if (this.#tools.has(name)) return name
    const holder = this.#tools.get(this.#reserved.get(name) ?? '') ?? this.#claims.sole(name)
    if (holder?.name === name) return holder.namespacedName
    return this.#hashedNames.get(name)?.namespacedName
  }

  /** The namespaced names, sorted, of the tools from which a clash took this plain name. */
  losersOf(plainName: string): readonly string[] {
    return [...this.#claims.values(plainName)]
      .filter(({ hashed }) => hashed)
      .map(({ namespacedName }) => namespacedName)
      .sort()
  }

  /**
   * The namespaced names, sorted, of the tools that lost a plain name, by that name, for every clash there is now. It
   * is the same map for as long as nothing changes in it.
   */
  get lostNames(): ReadonlyMap<string, readonly string[]> {
    return this.#lostNames.current
  }

  /** Every clash there is now, sorted by plain name. */
  clashes(): readonly NameClash[] {
    const names = new Set([...this.#losers].map(({ text }) => text))
    return [...names].sort().map((plainName) => {
      const holder = this.#holderOf(plainName)
      return { plainName, losers: this.losersOf(plainName), ...(holder !== undefined && { holder }) }
    })
  }

  #takeIn({ namespacedName, prefix, declaredName }: NamedTool): void {
    const plainName = sanitizeToolName(prefix + declaredName)
    const claims = isPlainNameUsable(plainName, declaredName, this.#maxLength)
    const text = claims ? plainName : hashedNameStem(plainName, HASH_DIGITS.short, this.#maxLength)
    const entry: Entry = { namespacedName, text, claims, hashed: false, pending: false, name: '' }
    this.#tools.set(namespacedName, entry)
    this.#mark(entry)
    for (const lookalikes of this.#lookalikes) this.#markSole(lookalikes.addTool(entry))
    if (!claims) return
    const isFirst = this.#claims.isFree(text)
    this.#mark(this.#claims.add(text, entry))
    if (isFirst) for (const lookalikes of this.#lookalikes) lookalikes.addPlainName(text)
  }

  #takeOut(namespacedName: string): void {
    const entry = this.#tools.get(namespacedName)
    if (entry === undefined) return
    if (entry.claims) {
      this.#mark(this.#claims.remove(entry.text, entry))
      if (this.#claims.isFree(entry.text))
        for (const lookalikes of this.#lookalikes) lookalikes.removePlainName(entry.text)
    }
    for (const lookalikes of this.#lookalikes) this.#markSole(lookalikes.removeTool(entry))
    if (entry.hashed) this.#mark(this.#shortNames.remove(this.#shortName(entry), entry))
    this.#forgetHashedName(entry)
    if (this.#losers.delete(entry)) this.#lostNames.contest(entry.text)
    this.#tools.delete(namespacedName)
  }

  /** Where several tools claim a name, one more partner changes nothing. */
  #markSole(plainName: string | undefined): void {
    if (plainName !== undefined) this.#mark(this.#claims.sole(plainName))
  }

  #mark(entry: Entry | undefined): void {
    if (entry === undefined || entry.pending) return
    entry.pending = true
    this.#pending.push(entry)
  }

  /** First who needs a hash, for all; then the names, since the length of a hash depends on who else needs one. */
  #settle(): readonly Renaming[] {
    const renamings: Renaming[] = []
    // Grows while it is walked: whoever shares a short hashed name with a tool in it joins.
    for (const entry of this.#pending) this.#settleNeed(entry)
    for (const entry of this.#pending) {
      entry.pending = false
      const from = entry.name
      if (this.#tools.get(entry.namespacedName) !== entry || !this.#rename(entry)) continue
      if (from !== '') renamings.push({ namespacedName: entry.namespacedName, from, to: entry.name })
    }
    this.#pending = []
    return renamings
  }

  #settleNeed(entry: Entry): void {
    if (this.#tools.get(entry.namespacedName) !== entry) return
    const hashed = this.#needsHash(entry)
    if (hashed === entry.hashed) return
    entry.hashed = hashed
    const shortName = this.#shortName(entry)
    this.#mark(hashed ? this.#shortNames.add(shortName, entry) : this.#shortNames.remove(shortName, entry))
    if (entry.claims) this.#lostNames.contest(entry.text)
    if (hashed && entry.claims) this.#losers.add(entry)
    else this.#losers.delete(entry)
  }

  #needsHash(entry: Entry): boolean {
    if (!entry.claims) return true
    const owner = this.#reserved.get(entry.text)
    if (owner !== undefined) return owner !== entry.namespacedName
    return this.#claims.isShared(entry.text) || this.#partnerOf(entry) !== undefined
  }

  /** Gives the tool the name that is due. Returns whether that is another one. */
  #rename(entry: Entry): boolean {
    const name = entry.hashed ? this.#dueHashedName(entry) : entry.text
    if (name === entry.name) return false
    this.#forgetHashedName(entry)
    entry.name = name
    if (entry.hashed) this.#hashedNames.set(name, entry)
    return true
  }

  #dueHashedName(entry: Entry): string {
    const shortName = this.#shortName(entry)
    if (!this.#shortNames.isShared(shortName) && !this.#reserved.has(shortName)) return shortName
    return hashedName(entry.text, entry.namespacedName, HASH_DIGITS.long, this.#maxLength)
  }

  #shortName(entry: Entry): string {
    return hashedName(entry.text, entry.namespacedName, HASH_DIGITS.short, this.#maxLength)
  }

  /** Two tools that trade names do it one after the other, so the name may be another's by now. */
  #forgetHashedName(entry: Entry): void {
    if (this.#hashedNames.get(entry.name) === entry) this.#hashedNames.delete(entry.name)
  }

  #partnerOf(entry: Entry): Entry | undefined {
    for (const lookalikes of this.#lookalikes) {
      const partner = lookalikes.partnerOf(entry, entry.text)
      if (partner !== undefined) return partner
    }
    return undefined
  }

  #holderOf(plainName: string): string | undefined {
    const owner = this.#reserved.get(plainName)
    const claimant = this.#claims.sole(plainName)
    return owner ?? (claimant && this.#partnerOf(claimant)?.namespacedName)
  }
}
