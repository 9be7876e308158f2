/** A plugin whose list of tools the test sets. */
import type { ToolDefinition } from '@callboard/sdk'
import type { Plugin, PluginHealth, PluginKind } from '../plugin.ts'

export class ListedPlugin implements Plugin {
  readonly id: string
  readonly kind: PluginKind
  readonly providers?: readonly string[]
  tools: readonly ToolDefinition[] = []
  readonly #listeners = new Set<() => void>()

  constructor(id: string, names: readonly string[], kind: PluginKind = 'mcp') {
    this.id = id
    this.kind = kind
    this.list(names.map((name) => ({ name })))
  }

  /** How many listen to it. */
  get listeners(): number {
    return this.#listeners.size
  }

  /** Replaces its list, and tells. */
  list(tools: readonly (Partial<ToolDefinition> & { readonly name: string })[]): void {
    this.tools = tools.map((tool) => ({ package: this.id, action: tool.name, ...tool }))
    for (const listener of this.#listeners) listener()
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  call(): Promise<never> {
    return Promise.reject(new Error('not called here'))
  }

  health(): PluginHealth {
    return { state: 'up', since: 0 }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
