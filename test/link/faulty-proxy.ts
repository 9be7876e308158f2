/** Stands between two ends of a link and loses, swaps, holds back or swallows what they send. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Socket as TcpSocket } from 'node:net'
import type { Address, Transport } from '@callboard/sdk/external'

export interface Faults {
  /** The share of packets that never arrive, 0 to 1. */
  readonly loss?: number
  /** The share of packets that arrive behind the next one, 0 to 1. */
  readonly swaps?: number
}

export interface FaultyProxy extends AsyncDisposable {
  readonly address: Address
  /** From now on nothing goes through, and what comes is lost (packets) or held back (a TCP connection). */
  cut(): void
  mend(): void
  /** Resolves when so many more packets or pieces have come here. */
  passed(count: number): Promise<void>
}

/** A proxy of packets for QUIC, of a TCP connection for TLS. */
export function startProxy(transport: Transport, target: Address, faults: Faults = {}): Promise<FaultyProxy> {
  return transport === 'quic' ? startPacketProxy(target, faults) : startConnectionProxy(target)
}

async function startPacketProxy(target: Address, { loss = 0, swaps = 0 }: Faults): Promise<FaultyProxy> {
  const traffic = new Traffic()
  const chance = dice(7)
  const front = await bindSocket()
  const back = await bindSocket()
  let client: Address | undefined
  const relay = (packet: Buffer, send: (packet: Buffer) => void, held: Buffer[]): void => {
    traffic.count()
    if (traffic.isCut || chance() < loss) return
    if (held.length === 0 && chance() < swaps) return void held.push(packet)
    send(packet)
    for (const late of held.splice(0)) send(late)
  }
  const heldForth: Buffer[] = []
  const heldBack: Buffer[] = []
  front.on('message', (packet, { address, port }) => {
    client = { host: address, port }
    relay(packet, (bytes) => back.send(bytes, target.port, target.host), heldForth)
  })
  back.on('message', (packet) => {
    relay(packet, (bytes) => client !== undefined && front.send(bytes, client.port, client.host), heldBack)
  })
  return {
    address: { host: '127.0.0.1', port: front.address().port },
    cut: () => traffic.cut(),
    mend: () => traffic.mend(),
    passed: (count) => traffic.passed(count),
    async [Symbol.asyncDispose]() {
      front.close()
      back.close()
    },
  }
}

async function bindSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

async function startConnectionProxy(target: Address): Promise<FaultyProxy> {
  const traffic = new Traffic()
  const sockets = new Set<TcpSocket>()
  const server = createServer((front) => {
    const back = connect(target.port, target.host)
    for (const [from, to] of [
      [front, back],
      [back, front],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        traffic.count()
        void traffic.whole().then(() => to.write(bytes))
      })
      from.on('close', () => void traffic.whole().then(() => to.destroy()))
      from.on('error', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  return {
    address: { host: '127.0.0.1', port: typeof bound === 'object' && bound !== null ? bound.port : 0 },
    cut: () => traffic.cut(),
    mend: () => traffic.mend(),
    passed: (count) => traffic.passed(count),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** What both kinds of proxy count and stop. */
class Traffic {
  readonly #events = new EventTarget()
  #count = 0
  isCut = false

  count(): void {
    this.#count += 1
    this.#events.dispatchEvent(new Event('piece'))
  }

  cut(): void {
    this.isCut = true
  }

  mend(): void {
    this.isCut = false
    this.#events.dispatchEvent(new Event('mended'))
  }

  async whole(): Promise<void> {
    while (this.isCut) await once(this.#events, 'mended')
  }

  async passed(count: number): Promise<void> {
    const enough = this.#count + count
    while (this.#count < enough) await once(this.#events, 'piece')
  }
}

/** Numbers from 0 to 1, the same ones in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
