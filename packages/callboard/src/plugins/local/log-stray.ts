/** Logs what a plugin threw where no call of it is told. */
import { textOfThrown } from '@callboard/sdk/host'
import type { Log } from '../../log.ts'
import { stackOf } from './stack-of.ts'

/** Under the plugin's name. Never throws, whatever it is that was thrown: it runs where that would end the process. */
export function logStray(log: Log, plugin: string, thrown: unknown): void {
  log.error(
    { plugin, reason: textOfThrown(thrown), stack: stackOf(thrown) },
    'a plugin threw an error outside of its calls',
  )
}
