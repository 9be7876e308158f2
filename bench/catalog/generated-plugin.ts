/** A plugin of a made-up catalogue: lists tools, and others when it is told to. */
import type { ToolDefinition } from '@callboard/sdk'
import type { Plugin, PluginHealth } from '../../packages/callboard/src/plugins/plugin.ts'

export class GeneratedPlugin implements Plugin {
  readonly id: string
  readonly kind = 'mcp'
  readonly #listeners = new Set<() => void>()
  #tools: readonly ToolDefinition[]

  constructor(id: string, tools: readonly ToolDefinition[]) {
    this.id = id
    this.#tools = tools
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools
  }

  list(tools: readonly ToolDefinition[]): void {
    this.#tools = tools
    for (const listener of this.#listeners) listener()
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  call(): Promise<never> {
    return Promise.reject(new Error('the benchmark calls no tool'))
  }

  health(): PluginHealth {
    return { state: 'up', since: 0 }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
