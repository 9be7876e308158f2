/**
 * Waits for the first start of a plugin of which nothing is known yet, where a client asks for that plugin and no
 * other.
 */
import type { Host } from '../../host.ts'

/** Then the client is answered with what there is; it is told when there is more. */
const PATIENCE_MS = 10_000

/**
 * Resolves at once unless the plugin is starting and has no tools from an earlier run; then when that has changed, when
 * `signal` is aborted, or after ten seconds. Many clients list once and would have nothing for good.
 */
export async function firstStart(host: Host, pluginId: string, signal: AbortSignal): Promise<void> {
  const isNew = (): boolean =>
    host.plugins().some(({ id, state, tools }) => id === pluginId && state === 'starting' && tools === 0)
  if (!isNew()) return
  const over = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (): void => {
    if (over.aborted || !isNew()) resolve()
  }
  const leave = [host.onPluginChange(look), host.onCatalogChange(look)]
  over.addEventListener('abort', look, { once: true })
  look()
  await promise
  for (const stop of leave) stop()
}
