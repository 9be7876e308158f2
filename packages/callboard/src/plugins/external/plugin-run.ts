/** One run of an external plugin: from its start, or from the dialling of one that runs elsewhere, to its end. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Link, LinkError, parseAddress, serveLink } from '@callboard/sdk/external'
import type { ExternalTarget } from '../../config/config.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import { answerCallBacks } from './call-backs.ts'
import type { ExternalHome } from './external-home.ts'
import { CertificateFolder } from './identity/certificate-folder.ts'
import { NamedCalls } from './named-calls.ts'
import { openLink, transportsFor } from './open-link.ts'
import { PluginFiles } from './plugin-files.ts'
import { interrupted, PluginPeer } from './plugin-peer.ts'
import { PluginProcess } from './plugin-process.ts'

/** How long a plugin may take to end its calls when it is asked to end. */
const SHUTDOWN_SECONDS = 2
/** How much later than its link a process may end for its last words to be the reason of both. */
const LAST_WORDS_MS = 500

export interface PluginRunOptions {
  readonly id: string
  readonly target: ExternalTarget
  /** The host's version, told to the plugin. */
  readonly version: string
  readonly home: ExternalHome
  readonly watcher: ProcessWatcher
  /** Names the plugin. */
  readonly log: Log
  readonly secrets: Secrets
}

/** What the run tells whoever opened it. */
export interface RunEvents {
  readonly host: PluginHost
  readonly onToolsChanged: () => void
  /** It ended without being asked to, for this reason; once, and whoever hears it calls `stop`. */
  readonly onEnd: (reason: string) => void
}

/** What there is of a run before it is one, and after it was. */
interface Parts {
  certificates?: CertificateFolder
  process?: PluginProcess
  link?: Link
}

interface Greeted extends Pick<RunEvents, 'onEnd'> {
  readonly id: string
  readonly parts: Parts
  readonly peer: PluginPeer
  readonly calls: NamedCalls
}

export class PluginRun {
  readonly peer: PluginPeer
  readonly #id: string
  readonly #parts: Parts
  readonly #calls: NamedCalls
  readonly #onEnd: (reason: string) => void
  #hasEnded = false

  private constructor({ id, parts, peer, calls, onEnd }: Greeted) {
    this.#id = id
    this.#parts = parts
    this.peer = peer
    this.#calls = calls
    this.#onEnd = onEnd
  }

  /** Resolves when the plugin has answered the first message. Rejects with the reason, and nothing is left then. */
  static async open(options: PluginRunOptions, events: RunEvents, signal: AbortSignal): Promise<PluginRun> {
    const parts: Parts = {}
    try {
      const link = await openParts(options, parts, signal)
      const calls = new NamedCalls()
      const answer = answerCallBacks({
        host: events.host,
        callOf: (id) => calls.get(id),
        files: new PluginFiles(options.home.filesOf(options.id)),
        onToolsChanged: events.onToolsChanged,
        redact: (text) => options.secrets.redact(text),
      })
      const serving = serveLink(link, answer)
      const software = `callboard ${options.version}`
      const peer = await PluginPeer.greet(link, { pluginId: options.id, software, signal: whileRunning(parts, signal) })
      const run = new PluginRun({ id: options.id, parts, peer, calls, onEnd: events.onEnd })
      run.#follow(serving.then(({ message }) => message, messageOf))
      return run
    } catch (error) {
      const gone = isOfLink(error) && (await lastWords(parts))
      await release(parts, 'it did not start')
      throw gone || error
    }
  }

  /** Runs a tool. Throws `interrupted` when the plugin goes away or is stopped meanwhile. */
  call(call: ToolCall): Promise<ToolResult> {
    return this.#calls.run(call, (own, id) => this.peer.call(own, id))
  }

  /** Ends it: its calls, the link, and the process where it is one of ours. Resolves when nothing is left. */
  async stop(): Promise<void> {
    const wasUp = !this.#hasEnded
    this.#hasEnded = true
    this.#calls.abort(new CallboardError('interrupted', `plugin "${this.#id}" was stopped`))
    // One that runs elsewhere goes on.
    if (wasUp && this.#parts.process !== undefined) await this.#shutDown(this.#parts.process)
    await release(this.#parts, 'it is being stopped')
  }

  async #shutDown({ gone }: PluginProcess): Promise<void> {
    const patience = AbortSignal.timeout((SHUTDOWN_SECONDS + 1) * 1000)
    // Whoever does not listen is ended in other ways.
    await this.peer.shutDown(SHUTDOWN_SECONDS, AbortSignal.any([gone, patience])).catch(() => {})
  }

  #follow(linkEnd: Promise<string>): void {
    const { process } = this.#parts
    const gone = (): void => this.#end(messageOf(process?.gone.reason))
    if (process?.gone.aborted === true) gone()
    process?.gone.addEventListener('abort', gone, { once: true })
    void linkEnd.then(async (message) => {
      await lastWords(this.#parts)
      this.#end(message)
    })
  }

  #end(reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#calls.abort(interrupted(this.#id, reason))
    this.#onEnd(reason)
  }
}

async function openParts(
  { id, target, home, watcher, log, secrets }: PluginRunOptions,
  parts: Parts,
  signal: AbortSignal,
): Promise<Link> {
  const identity = await home.identity()
  const folder = (target.kind === 'address' ? target.certs : undefined) ?? home.certificatesOf(id)
  parts.certificates = await CertificateFolder.fill({ identity, pluginId: id, folder, log })
  const transports = await transportsFor(target.transport)
  signal.throwIfAborted()
  if (target.kind === 'process') {
    const [transport] = transports
    parts.process = await PluginProcess.start({
      command: target,
      certificates: folder,
      transport,
      watcher,
      log,
      secrets,
    })
  }
  const address = target.kind === 'address' ? parseAddress(target.address) : await parts.process?.listening(signal)
  if (address === undefined) throw new CallboardError('internal', 'a process without an address')
  const dialling = { pluginId: id, address, transports, credentials: await identity.credentials(), log }
  parts.link = await openLink(dialling, whileRunning(parts, signal))
  return parts.link
}

/** Where the link has ended its process may have too, and says more: the error with its last words. */
async function lastWords({ process }: Parts): Promise<unknown> {
  if (process === undefined) return undefined
  await delay(LAST_WORDS_MS, undefined, { signal: process.gone }).catch(() => {})
  return process.gone.aborted ? process.gone.reason : undefined
}

function isOfLink(error: unknown): boolean {
  return error instanceof CallboardError && error.cause instanceof LinkError
}

/** Whatever is asked of a process that has ended is over. */
function whileRunning({ process }: Parts, signal: AbortSignal): AbortSignal {
  return process === undefined ? signal : AbortSignal.any([signal, process.gone])
}

async function release({ certificates, process, link }: Parts, reason: string): Promise<void> {
  link?.close(reason)
  certificates?.end()
  await process?.end()
}
