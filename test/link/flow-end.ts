/** One end of a link in a process of its own, which writes or reads one long stream and tells how its memory grew. */
import { once } from 'node:events'
import {
  type Address,
  type Credentials,
  dialLink,
  HOST_URI,
  type Link,
  type LinkStream,
  listenForLinks,
  pluginUri,
  type Transport,
} from '@callboard/sdk/external'
import { PLUGIN_ID } from './credentials.ts'
import { nextStream, PROTOCOL } from './link-pair.ts'

/** The first message to this process. */
export interface FlowOrder {
  readonly transport: Transport
  readonly credentials: Credentials
  /** Where to dial; a listener has none. */
  readonly address?: Address
  readonly role: 'writer' | 'reader'
  /** A multiple of 64 KiB. */
  readonly bytes: number
}

/** What this process sends. */
export type FlowReport =
  | { readonly kind: 'listening'; readonly address: Address }
  /** Nothing more is taken from the writer, after so many bytes. */
  | { readonly kind: 'stuck'; readonly bytes: number }
  | { readonly kind: 'done'; readonly bytes: number; readonly growthBytes: number }

const PIECE_BYTES = 64 * 1024
/** Memory that a process takes for itself before what it holds can be told from it. */
const WARM_UP_BYTES = 24 * 1024 * 1024
const STEP_BYTES = 4 * 1024 * 1024

function report(message: FlowReport): void {
  process.send?.(message)
}

async function listen({ transport, credentials }: FlowOrder): Promise<Link> {
  const linked = Promise.withResolvers<Link>()
  const listener = await listenForLinks(transport, {
    address: { host: '127.0.0.1', port: 0 },
    credentials,
    protocols: [PROTOCOL],
    expects: HOST_URI,
    onLink: linked.resolve,
    onRefused: (_from, error) => linked.reject(error),
  })
  report({ kind: 'listening', address: listener.address })
  return await linked.promise
}

function dial({ transport, credentials }: FlowOrder, address: Address): Promise<Link> {
  return dialLink(transport, { address, credentials, protocols: [PROTOCOL], expects: pluginUri(PLUGIN_ID) })
}

/** The writer opens the stream. */
function streamOf(of: Link, { role }: FlowOrder): Promise<LinkStream> {
  return role === 'writer' ? of.openStream() : nextStream(of)
}

interface Growth {
  readonly bytes: number
  readonly growthBytes: number
}

async function write(to: LinkStream, bytes: number): Promise<Growth> {
  const memory = new Memory()
  const piece = Buffer.alloc(PIECE_BYTES, 7)
  let isStuck = false
  for (let written = 0; written < bytes; written += PIECE_BYTES) {
    const taken = to.write(piece)
    if (!isStuck && (await Promise.race([taken.then(() => false), manyTurns()]))) {
      isStuck = true
      report({ kind: 'stuck', bytes: written })
    }
    await taken
    memory.look(written)
  }
  to.end()
  return { bytes, growthBytes: memory.growth }
}

async function read(from: LinkStream): Promise<Growth> {
  const memory = new Memory()
  let bytes = (await from.read())?.length ?? 0
  // Until the writer is stuck.
  await once(process, 'message')
  for (let piece = await from.read(); piece !== undefined; piece = await from.read()) {
    bytes += piece.length
    memory.look(bytes)
  }
  return { bytes, growthBytes: memory.growth }
}

async function manyTurns(): Promise<true> {
  for (let turn = 0; turn < 5_000; turn++) await new Promise((resolve) => setImmediate(resolve))
  return true
}

/** How far what this process holds has grown above what it was after the warm-up; what it let go of does not count. */
class Memory {
  #base = 0
  #next = 0
  growth = 0

  look(bytesSoFar: number): void {
    if (bytesSoFar < this.#next) return
    this.#next += STEP_BYTES
    globalThis.gc?.()
    const { rss } = process.memoryUsage()
    if (bytesSoFar < WARM_UP_BYTES) this.#base = Math.max(this.#base, rss)
    else this.growth = Math.max(this.growth, rss - this.#base)
  }
}

const [order] = (await once(process, 'message')) as [FlowOrder]
const link = order.address === undefined ? await listen(order) : await dial(order, order.address)
const stream = await streamOf(link, order)
const done = await (order.role === 'writer' ? write(stream, order.bytes) : read(stream))
report({ kind: 'done', ...done })
await once(process, 'message')
link.close()
process.exit()
