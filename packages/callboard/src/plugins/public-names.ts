/** The public names of the router's tools: kept, and told of where a clash took one away. */
import type { LostNames } from '../catalog/snapshot.ts'
import type { Log } from '../log.ts'
import { NameTable } from '../tools/name-table.ts'
import { pluginIdIn } from '../tools/names.ts'

/** Clashes that one line of the log names. */
const CLASHES_LOGGED = 5

export interface PublicNamesOptions {
  /** The longest a public name may be. */
  readonly maxNameLength: number
  /** Public names that one tool only may have: its namespaced name by public name. */
  readonly reserved?: ReadonlyMap<string, string>
  readonly log: Log
}

/** A tool that is new, or other than before, in the catalogue. */
export interface Put {
  /** The namespaced name; of a tool that several plugins give, the one that stands for all. */
  readonly name: string
  readonly prefix: string
  readonly declaredName: string
}

export class PublicNames {
  readonly #reserved: ReadonlyMap<string, string> | undefined
  readonly #log: Log
  #table: NameTable

  constructor({ maxNameLength, reserved, log }: PublicNamesOptions) {
    this.#reserved = reserved
    this.#log = log
    this.#table = this.#newTable(maxNameLength)
  }

  /** The public name of the tool with this namespaced name; undefined when it is not there. */
  of(name: string): string | undefined {
    return this.#table.publicName(name)
  }

  /** The plain names that clashes took away, each with the tools that lost it. */
  get lost(): LostNames {
    return this.#table.lostNames
  }

  /**
   * Takes names out and in, in one step. Answers the namespaced names of the other tools that have another public name
   * now. Clashes that are new are logged.
   */
  update(removed: readonly string[], put: readonly Put[]): readonly string[] {
    return this.#update(removed, put, this.lost)
  }

  /** Names these, which are all that there are, anew and no longer than this. */
  limit(maxNameLength: number, all: readonly Put[]): void {
    const before = this.lost
    this.#table = this.#newTable(maxNameLength)
    this.#update([], all, before)
  }

  /** Every clash that there is, a sentence each. */
  reports(): readonly string[] {
    return this.#table.clashes().map(({ plainName, losers, holder }) => {
      const others = losers.map((loser) => `${loser} is now "${this.of(loser)}"`).join(', ')
      const whose = holder === undefined ? 'would belong to several tools' : `belongs to ${holder}`
      return `the name "${plainName}" ${whose}: ${others}; ${mendOf(holder === undefined ? losers : [...losers, holder])}`
    })
  }

  #newTable(maxLength: number): NameTable {
    return new NameTable({ maxLength, ...(this.#reserved !== undefined && { reserved: this.#reserved }) })
  }

  /** @param before the names that were lost before this change */
  #update(removed: readonly string[], put: readonly Put[], before: LostNames): readonly string[] {
    const renamed = this.#table.update({
      remove: removed,
      add: put.map(({ name, prefix, declaredName }) => ({ namespacedName: name, prefix, declaredName })),
    })
    if (this.lost.size > before.size) {
      const clashes = this.#table.clashes().filter(({ plainName }) => !before.has(plainName))
      this.#log.warn({ clashes: clashes.slice(0, CLASHES_LOGGED) }, 'tools would have equal names')
    }
    return renamed.map(({ namespacedName }) => namespacedName)
  }
}

/** What ends a clash of these tools, by their namespaced names: one prefix stands before all the names of a plugin. */
function mendOf(partners: readonly string[]): string {
  const ids = new Set(partners.map(pluginIdIn))
  if (ids.size > 1) return 'a `prefix` of its own for one of the plugins ends this'
  return `dropping all but one of them by \`tools.drop\` of plugin "${[...ids].join()}" ends this`
}
