/**
 * Knows whether the code of a plugin is running, and whose. What it leaves behind is still its own: timers, callbacks
 * and promises that nobody waits for.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const running = new AsyncLocalStorage<string | undefined>()

/** Runs code of the plugin. */
export function inPluginCode<Result>(pluginId: string, run: () => Result): Result {
  return running.run(pluginId, run)
}

/** Runs code of the host that a plugin has called: what goes wrong in it is not the plugin's fault. */
export function inHostCode<Result>(run: () => Result): Result {
  return running.run(undefined, run)
}

/**
 * The plugin whose code runs here; undefined where it is none's. In a handler of the process's `uncaughtException` or
 * `unhandledRejection`, that is the plugin whose code threw, or left the promise.
 */
export function runningPlugin(): string | undefined {
  return running.getStore()
}
