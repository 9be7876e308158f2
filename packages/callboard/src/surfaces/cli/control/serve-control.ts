/** Answers the command line for a running host: listens at the data folder's control socket, or waits until it may. */
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { Readers } from '../../readers.ts'
import { CommandConnection, type RunWords } from './command-connection.ts'
import { type ControlPlace, findControlAddress, prepareControlPlace } from './control-address.ts'
import { takeControlLock } from './control-lock.ts'
import { type Hello, PROTOCOL } from './messages.ts'

/** How long commands may take for their last words when the host ends, in milliseconds. */
const CLOSE_MS = 1_000
/** How long a host waits before it asks again whether the other one is still there, when that can't be connected to. */
const AGAIN_MS = 250

export interface ControlOptions {
  readonly dataDir: string
  /** Who this host is; said to each command first. */
  readonly host: Omit<Hello, 'protocol'>
  readonly run: RunWords
  /** All clients of the host for whom something waits. */
  readonly readers: Readers
  readonly log: Log
}

/** The end of answering the command line. */
export interface Control {
  /** Resolves when no command runs and the socket is gone. Commands that run are told that the host ends. */
  close(): Promise<void>
}

/**
 * Resolves when the socket is open, or when another host of the same data folder has it: the first keeps it, and a
 * later one takes over as soon as the first has ended. What a killed host left behind is replaced. A host that can't
 * answer the command line serves all the same, so this never rejects; the log says why.
 */
export async function serveControl(options: ControlOptions): Promise<Control> {
  const control = new HostControl(options)
  await control.open()
  return control
}

class HostControl implements Control {
  readonly #options: ControlOptions
  readonly #ended = new AbortController()
  readonly #connections = new Set<CommandConnection>()
  /** The ways to release what is held while this host answers; the last one first. */
  readonly #held: (() => unknown)[] = []
  #waiting: Promise<void> | undefined

  constructor(options: ControlOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    try {
      if (await this.#take()) return
      this.#options.log.info('another host of this data folder answers the command line; this one does after its end')
      this.#waiting = this.#takeOver().catch((error: unknown) => this.#cannot(error))
    } catch (error) {
      await this.#cannot(error)
    }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#waiting
    await this.#release()
  }

  /** Whether this host has the socket now. */
  async #take(): Promise<boolean> {
    const { dataDir } = this.#options
    const lock = takeControlLock(dataDir)
    if (lock === undefined) return false
    this.#held.push(() => lock[Symbol.dispose]())
    const place = prepareControlPlace(dataDir)
    this.#held.push(() => place.remove())
    const { host, run, readers } = this.#options
    const server = createServer((socket) => {
      const connection = new CommandConnection(socket, { hello: { protocol: PROTOCOL, ...host }, run, readers })
      this.#connections.add(connection)
      void connection.closed.then(() => this.#connections.delete(connection))
    })
    await this.#listen(server, place)
    return true
  }

  async #listen(server: Server, place: ControlPlace): Promise<void> {
    server.listen(place.listenAt)
    await once(server, 'listening')
    this.#held.push(() => this.#stop(server))
    // What goes wrong with a connection that is being accepted must not end the process.
    server.on('error', (error) => this.#options.log.error({ err: error }, 'a command could not connect'))
    place.publish()
  }

  async #takeOver(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#holderGone()
      if (this.#ended.signal.aborted || (await this.#take())) return
    }
  }

  /** Resolves when the connection to the host that has the socket ends; nothing is asked of it. */
  async #holderGone(): Promise<void> {
    const { signal } = this.#ended
    const address = findControlAddress(this.#options.dataDir)
    if (address !== undefined) {
      const socket = connect(address)
      const end = () => socket.destroy()
      signal.addEventListener('abort', end, { once: true })
      let connected = false
      socket.once('connect', () => {
        connected = true
      })
      socket.resume()
      // Whatever ends it, it has ended.
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('close', resolve))
      signal.removeEventListener('abort', end)
      if (connected) return
    }
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }

  async #release(): Promise<void> {
    for (let release = this.#held.pop(); release !== undefined; release = this.#held.pop()) await release()
  }

  async #stop(server: Server): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const reason = new CallboardError('interrupted', 'the host is being stopped')
    const patience = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy()
    }, CLOSE_MS)
    await Promise.all([...this.#connections].map((connection) => connection.end(reason)))
    await closed
    clearTimeout(patience)
  }

  /** Lets go of what was held, so that another host may try. */
  async #cannot(error: unknown): Promise<void> {
    this.#options.log.warn({ reason: messageOf(error) }, 'the command line can not work through this host')
    await this.#release()
  }
}
