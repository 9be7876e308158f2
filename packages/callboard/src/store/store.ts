/** The ports of what must outlive the process; `sqlite/` is behind all of them. */
import type { ToolDefinition } from '@callboard/sdk'
import type { PeopleStore } from './people-store.ts'
import type { SwitchStore } from './switch-store.ts'
import type { TokenStore } from './token-store.ts'

/** The tools that a plugin listed when it was last up. */
export interface ToolList {
  readonly tools: readonly ToolDefinition[]
  /** When it was listed, in milliseconds since the epoch. */
  readonly listedAt: number
  /** Whatever the plugin's kind needs to start faster next time (JSON). */
  readonly hints?: Readonly<Record<string, unknown>>
}

/** What became other in the tools of a plugin. */
interface ToolListChange extends Omit<ToolList, 'tools'> {
  /** The tools that are new, or other than before. */
  readonly put: readonly ToolDefinition[]
  /** The names of those that are gone. */
  readonly removed: readonly string[]
  /** Whether it is the first of a list, of which nothing is known so far. */
  readonly begins?: boolean
  /** Whether more of the same change is to come; until that is in, the list is not known. */
  readonly goesOn?: boolean
}

/**
 * The last known tool lists, by plugin. A `fingerprint` of the plugin's configuration keeps a list from outliving it.
 */
export interface ToolListStore {
  get(pluginId: string, fingerprint: string): ToolList | undefined
  /**
   * Makes the change in the list that is kept, or in an empty one where it begins. Answers false, and makes none, where
   * no list of that fingerprint is kept to make it in: another host has its own in that place, or none.
   */
  change(pluginId: string, fingerprint: string, change: ToolListChange): boolean
  delete(pluginId: string): void
}

/** JSON values of a plugin, by key. */
export interface PluginStorageStore {
  get(pluginId: string, key: string): unknown
  /** Keeps any value that JSON has; undefined forgets the key. Throws `CallboardError` (`usage`) for other values. */
  set(pluginId: string, key: string, value: unknown): void
}

/** Everything that is remembered; one owner opens and closes it. */
export interface Store extends Disposable {
  readonly toolLists: ToolListStore
  readonly pluginStorage: PluginStorageStore
  readonly switches: SwitchStore
  readonly people: PeopleStore
  readonly tokens: TokenStore
}
