/** Keeps what the code of local plugins does beside its calls from the process that it shares. */
import { inspect } from 'node:util'
import { CallboardError } from '../errors.ts'
import { runningPlugin } from '../plugins/local/plugin-code.ts'

/** The parts of the process that plugins can reach by accident. */
type SharedProcess = Pick<NodeJS.Process, 'on' | 'exit' | 'stdout' | 'stderr'>

/** Told of an error that a plugin threw where nobody waits for it. */
export type OnStray = (pluginId: string, thrown: unknown) => void

/**
 * For as long as the process lives. What a plugin throws from a timer or a callback, or leaves as a promise that nobody
 * handles, is told to `onStray` and ends nothing; anybody else's ends the process, as it would anyway. What a plugin
 * prints on standard output goes to standard error, because answers and the protocol stand on the former.
 */
export function containPlugins(shared: SharedProcess, onStray: OnStray): void {
  const { stdout, stderr } = shared
  shared.on('uncaughtException', (thrown: unknown) => {
    const plugin = runningPlugin()
    if (plugin !== undefined) return onStray(plugin, thrown)
    stderr.write(`${inspect(thrown)}\n`)
    shared.exit(new CallboardError('internal', '').exitCode)
  })
  const write = stdout.write
  stdout.write = (...given: unknown[]): boolean => {
    const [to, by] = runningPlugin() === undefined ? [stdout, write] : [stderr, stderr.write]
    return Reflect.apply(by, to, given)
  }
}
