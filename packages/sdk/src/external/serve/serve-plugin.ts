/** `servePlugin()`: makes a process of its own of a plugin that could run in the host's. */
import type { DefinedPlugin } from '../../define-plugin.ts'
import { formatAddress } from '../link/address.ts'
import { LinkError } from '../link/link-error.ts'
import { manifestText } from './plugin-manifest.ts'
import { PluginServer } from './plugin-server.ts'
import { readServeArguments } from './serve-arguments.ts'
import type { ServeOptions } from './serve-options.ts'

/** How long calls may go on after a signal to end. */
const PATIENCE_MS = 2_000
/** How long the process may go on after the plugin has ended. */
const AFTERLIFE_MS = 5_000

/**
 * Serves the plugin to the host that started this process, as the words behind its command say; with `--manifest`,
 * prints what it is. Resolves when it is to end: the host asked for it or has gone, or a signal came. A process that is
 * still there five seconds after that, for something that was not closed, is ended. What can't be served is said on
 * stderr, and the exit code is 1.
 *
 * The tools are the same as in the host's process, but for `context.catalog`, which can't answer at once here: its
 * methods throw `NoCatalogError`.
 */
export async function servePlugin(plugin: DefinedPlugin, options: ServeOptions = {}): Promise<void> {
  try {
    const asked = readServeArguments(process.argv.slice(2))
    if (asked.isManifestAsked) process.stdout.write(`${manifestText(plugin, options)}\n`)
    else await serveUntilEnd(await PluginServer.open({ plugin, options, asked, report }))
  } catch (error) {
    if (!(error instanceof LinkError || error instanceof TypeError)) throw error
    report(error.message)
    process.exitCode = 1
  }
}

async function serveUntilEnd(server: PluginServer): Promise<void> {
  const end = (): void => void server.end(PATIENCE_MS)
  process.once('SIGTERM', end).once('SIGINT', end)
  report(`READY ${formatAddress(server.address)}`)
  await server.ended
  process.off('SIGTERM', end).off('SIGINT', end)
  setTimeout(() => process.exit(), AFTERLIFE_MS).unref()
}

function report(text: string): void {
  process.stderr.write(`${text}\n`)
}
