/** Connects a command to the host that runs on its data folder, as far as knowing who that is. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { CallboardError, messageOf } from '../../../errors.ts'
import { findControlAddress } from './control-address.ts'
import { FRAME, type Frame, FrameReader } from './frames.ts'
import { type Hello, parseHello } from './messages.ts'

/** Long enough for a busy host; a command waits no longer for one that hangs. */
const HELLO_MS = 3_000

/** A connection on which the host has said who it is. */
export interface HostConnection {
  readonly socket: Socket
  readonly hello: Hello
  /** Reads on where the first words of the host ended. */
  readonly frames: FrameReader
  /** What came with the first words, if anything. */
  readonly early: readonly Frame[]
}

/** What is at the control socket: nothing, a host, or something that does not answer as one. */
export type FoundHost =
  | { readonly kind: 'none' }
  | { readonly kind: 'silent'; readonly why: string }
  | ({ readonly kind: 'host' } & HostConnection)

const STRANGER: FoundHost = { kind: 'silent', why: 'does not answer as a host does' }

/** How long a host may take for its first words, and the way to stop waiting. */
export interface FindOptions {
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly helloMs?: number
}

/**
 * Finds and asks the host of a data folder. A socket that a killed host left behind is none. Throws `denied` when it
 * belongs to somebody else, and the reason of the signal when that is aborted.
 */
export async function findHost(dataDir: string, { signal, helloMs = HELLO_MS }: FindOptions): Promise<FoundHost> {
  const address = findControlAddress(dataDir)
  if (address === undefined) return { kind: 'none' }
  const socket = connect(address)
  const late = AbortSignal.any([signal, AbortSignal.timeout(helloMs)])
  try {
    await once(socket, 'connect', { signal: late })
    const found = await greeted(socket, late)
    if (found.kind !== 'host') socket.destroy()
    return found
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    if (late.aborted) return { kind: 'silent', why: `does not answer within ${helloMs / 1000} s` }
    return failed(address, error)
  }
}

/** Resolves with what the first frame says; rejects when the connection breaks or the signal is aborted. */
function greeted(socket: Socket, signal: AbortSignal): Promise<FoundHost> {
  const frames = new FrameReader()
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      try {
        const [first, ...early] = frames.push(chunk)
        if (first === undefined) return
        const hello = first.kind === FRAME.hello ? parseHello(first.payload) : undefined
        settle(() => resolve(hello === undefined ? STRANGER : { kind: 'host', socket, hello, frames, early }))
      } catch {
        // It sent what is no frame.
        settle(() => resolve(STRANGER))
      }
    }
    const settle = (act: () => void) => {
      socket.pause()
      socket.off('data', read).off('error', broken).off('close', closed)
      signal.removeEventListener('abort', aborted)
      act()
    }
    const broken = (error: Error) => settle(() => reject(error))
    // A host that ends at this moment has nothing more to say.
    const closed = () => settle(() => resolve({ kind: 'none' }))
    const aborted = () => settle(() => reject(signal.reason))
    socket.on('data', read).on('error', broken).on('close', closed)
    signal.addEventListener('abort', aborted, { once: true })
  })
}

function failed(address: string, error: unknown): FoundHost {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Left behind by a host that was killed, or one that ends at this moment.
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return { kind: 'none' }
  if (code === 'EACCES' || code === 'EPERM')
    throw new CallboardError('denied', `the host at ${address} belongs to another user of this machine`, {
      cause: error,
    })
  return { kind: 'silent', why: `can not be talked to (${messageOf(error)})` }
}
