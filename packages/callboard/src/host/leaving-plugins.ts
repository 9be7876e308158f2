/** The plugins on their way out: each is ended as soon as it has answered its calls, and its successor knows when. */
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Plugin } from '../plugins/plugin.ts'
import { RunningCalls } from '../plugins/running-calls.ts'
import type { Supervisor } from '../plugins/supervisor.ts'

export interface LeavingPluginsOptions {
  readonly supervisor: Pick<Supervisor, 'remove'>
  readonly log: Log
  /** Told of what `calleeOf` gave for a plugin that leaves, right before it does. */
  readonly onLeave: (callee: Pick<Plugin, 'id' | 'call' | 'passesWritten'>) => void
}

export class LeavingPlugins implements AsyncDisposable {
  readonly #options: LeavingPluginsOptions
  readonly #running = new RunningCalls()
  /** The ends that are still to come. */
  readonly #ends = new Set<Promise<void>>()
  /** Of these, by id, the end of one that has no calls to answer: a successor of that id starts after it. */
  readonly #awaited = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(options: LeavingPluginsOptions) {
    this.#options = options
  }

  /** The plugin with its calls counted, always the same object for the same plugin. */
  calleeOf(plugin: Plugin): Pick<Plugin, 'id' | 'call' | 'passesWritten'> {
    return this.#running.counted(plugin)
  }

  /** What a successor of that id waits for before it starts; undefined where there is nothing to wait for. */
  endOf(id: string): Promise<void> | undefined {
    return this.#awaited.get(id)
  }

  /**
   * Ends a plugin as soon as it has answered its calls, which each have a time. A successor starts beside one that is
   * busy, and after the end of any other, with whom it may share a file or a port.
   */
  leave(plugin: Plugin): void {
    const { supervisor, log, onLeave } = this.#options
    onLeave(this.calleeOf(plugin))
    const calls = this.#running.on(plugin)
    if (calls > 0) log.info({ plugin: plugin.id, calls }, 'plugin leaves when its calls are answered')
    const idle = this.#running.idle(plugin, this.#closing.signal)
    const ended = supervisor
      .remove(plugin.id, idle)
      .catch((error: unknown) =>
        log.error({ plugin: plugin.id, reason: messageOf(error) }, 'plugin was not ended cleanly'),
      )
      .then(() => {
        this.#ends.delete(ended)
        if (this.#awaited.get(plugin.id) === ended) this.#awaited.delete(plugin.id)
      })
    this.#ends.add(ended)
    if (calls === 0) this.#awaited.set(plugin.id, ended)
  }

  /** Ends them now, whatever calls they have. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#ends)
  }
}
