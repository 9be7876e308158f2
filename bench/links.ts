/**
 * Measures calls over the links of external plugins, QUIC beside TLS, against a peer in another process (`--quick`: short
 * rounds). Prints only.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { type Address, Asker, dialLink, HOST_URI, type Link, pluginUri, type Transport } from '@callboard/sdk/external'
import { createAuthority, issueLeaf } from '../packages/callboard/src/plugins/external/identity/certificates.ts'
import { median } from './gateway/figures.ts'
import type { EchoOrder } from './links/echo-peer.ts'
import { machine, table } from './page.ts'

const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 3 : 11
const ROUND_MS = quick ? 200 : 700
const WARM_UP_MS = quick ? 300 : 1_500
const TRANSPORTS: readonly Transport[] = ['quic', 'tls']
/** A small call of a tool and a small answer. */
const ARGUMENTS = Buffer.from(JSON.stringify({ text: 'x'.repeat(180) }))

interface Way {
  readonly transport: Transport
  readonly isShared: boolean
  readonly callers: number
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Of this process, in milliseconds a call. */
  readonly processorMs: number
}

async function callFor(asker: Asker, { isShared, callers }: Way, ms: number): Promise<Round> {
  const latencies: number[] = []
  const began = performance.now()
  const cpu = process.cpuUsage()
  const call = async (): Promise<void> => {
    for (let now = performance.now(); now < began + ms; ) {
      const body = { case: 'toolCall', value: { toolName: 'echo', argumentsJson: ARGUMENTS } } as const
      const answer = await asker.ask(body, { isShared })
      if (answer.case !== 'toolCall') throw new Error(`the peer answered ${answer.case}`)
      const then = performance.now()
      latencies.push(then - now)
      now = then
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? 0
  return {
    perSecond: latencies.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    processorMs: (user + system) / 1000 / latencies.length,
  }
}

interface Party {
  readonly link: Link
  readonly child: ChildProcess
}

async function startParty(transport: Transport): Promise<Party> {
  const now = { from: Date.now(), forMs: 24 * 60 * 60 * 1000 }
  const authority = await createAuthority('bench CA', now)
  const ca = authority.certificate
  const uri = pluginUri('bench/echo')
  const plugin = await issueLeaf(authority, { name: 'plugin', uri, use: 'server', ...now })
  const host = await issueLeaf(authority, { name: 'host', uri: HOST_URI, use: 'client', ...now })
  const child = fork(new URL('links/echo-peer.ts', import.meta.url))
  child.send({ transport, credentials: { ca, ...plugin } } satisfies EchoOrder)
  const [address] = (await once(child, 'message')) as [Address]
  const link = await dialLink(transport, {
    address,
    credentials: { ca, ...host },
    protocols: ['callboard/1'],
    expects: uri,
  })
  return { link, child }
}

const ways: readonly Way[] = [1, 32].flatMap((callers) =>
  [false, true].flatMap((isShared) => TRANSPORTS.map((transport) => ({ transport, isShared, callers }))),
)
const parties = new Map<Transport, Party>()
for (const transport of TRANSPORTS) parties.set(transport, await startParty(transport))
const askers = new Map([...parties].map(([transport, { link }]) => [transport, new Asker(link)]))
const rounds = new Map<Way, Round[]>(ways.map((way) => [way, []]))
for (let round = -1; round < ROUNDS; round++) {
  for (const way of ways) {
    const asker = askers.get(way.transport)
    if (asker === undefined) throw new Error(`nobody answers over ${way.transport}`)
    const measured = await callFor(asker, way, round < 0 ? WARM_UP_MS : ROUND_MS)
    if (round >= 0) rounds.get(way)?.push(measured)
  }
}
for (const { link, child } of parties.values()) {
  link.close()
  child.disconnect()
}
const rows = [...rounds].map(([{ transport, isShared, callers }, measured]) => [
  `${transport}, ${isShared ? 'a shared stream' : 'a stream a call'}, ${callers} at once`,
  (median(measured.map(({ perSecond }) => perSecond)) ?? 0).toFixed(0),
  (median(measured.map(({ p50 }) => p50)) ?? 0).toFixed(3),
  (median(measured.map(({ p99 }) => p99)) ?? 0).toFixed(3),
  (median(measured.map(({ processorMs }) => processorMs)) ?? 0).toFixed(3),
])
console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}`)
console.log(table(['', 'calls/s', 'p50 ms', 'p99 ms', 'processor ms/call'], rows))
