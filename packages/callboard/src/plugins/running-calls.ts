/** Knows how many calls run on each plugin, so that one that leaves is ended only when it has answered them. */
import type { Plugin, ToolCall, ToolResult } from './plugin.ts'

/** What is needed of a plugin to run a call on it. */
type Callee = Pick<Plugin, 'id' | 'call' | 'passesWritten'>

export class RunningCalls {
  readonly #counts = new Map<Plugin, number>()
  readonly #waiting = new Map<Plugin, PromiseWithResolvers<void>>()
  readonly #counted = new WeakMap<Plugin, Callee>()

  /** The plugin with its calls counted, always the same object for the same plugin. */
  counted(plugin: Plugin): Callee {
    const known = this.#counted.get(plugin)
    if (known !== undefined) return known
    const { id, passesWritten = false } = plugin
    const callee = { id, passesWritten, call: (call: ToolCall) => this.#run(plugin, call) }
    this.#counted.set(plugin, callee)
    return callee
  }

  /** How many calls run on it now. */
  on(plugin: Plugin): number {
    return this.#counts.get(plugin) ?? 0
  }

  /**
   * Resolves when no call runs on the plugin, or as soon as the signal is aborted. Nobody may send it new ones
   * meanwhile.
   */
  async idle(plugin: Plugin, signal: AbortSignal): Promise<void> {
    if (this.on(plugin) === 0 || signal.aborted) return
    const waiting = this.#waiting.get(plugin) ?? Promise.withResolvers<void>()
    this.#waiting.set(plugin, waiting)
    const stop = (): void => waiting.resolve()
    signal.addEventListener('abort', stop, { once: true })
    await waiting.promise
    signal.removeEventListener('abort', stop)
  }

  #run(plugin: Plugin, call: ToolCall): Promise<ToolResult> {
    this.#counts.set(plugin, this.on(plugin) + 1)
    const answer = plugin.call(call)
    const end = (): void => this.#end(plugin)
    answer.then(end, end)
    return answer
  }

  #end(plugin: Plugin): void {
    const left = this.on(plugin) - 1
    if (left > 0) {
      this.#counts.set(plugin, left)
      return
    }
    this.#counts.delete(plugin)
    this.#waiting.get(plugin)?.resolve()
    this.#waiting.delete(plugin)
  }
}
