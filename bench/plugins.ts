/**
 * Measures calls of the same tool in a plugin in the host's process, in an external one over QUIC and TLS, and in an MCP server
 * over stdio, and writes the tables into docs/performance.md (`--quick`: a few short rounds, prints only).
 */
import { loadavg } from 'node:os'
import { figuresOf, type Round } from './gateway/figures.ts'
import { machine, table, writeSection } from './page.ts'
import { type Party, startParties } from './plugins/parties.ts'

const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 3 : 15
const ROUND_MS = quick ? 200 : 500
const WARM_UP_MS = quick ? 300 : 1_500
const CALLERS = [1, 32]

async function callFor({ call }: Party, callers: number, ms: number): Promise<Round> {
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const began = performance.now()
  const caller = async (): Promise<void> => {
    for (let now = performance.now(); now < began + ms; ) {
      await call()
      const then = performance.now()
      latencies.push(then - now)
      now = then
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  return {
    calls: latencies.length,
    seconds,
    percentiles: [0.5, 0.95, 0.99].map((share) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0),
    processorMs: (user + system) / 1000 / latencies.length,
    residentMb: undefined,
  }
}

const cells: { readonly party: Party; readonly callers: number; readonly rounds: Round[] }[] = []
const [loadBefore = Number.NaN] = loadavg()
const parties = await startParties()
try {
  for (const callers of CALLERS) for (const party of parties.all) cells.push({ party, callers, rounds: [] })
  for (const { party, callers } of cells) await callFor(party, callers, WARM_UP_MS)
  // One after the other in every round, so that whatever else the machine does falls on all of them alike.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { party, callers, rounds } of cells) rounds.push(await callFor(party, callers, ROUND_MS))
} finally {
  await parties[Symbol.asyncDispose]()
}

function tableOf(callers: number): string {
  const rows = cells
    .filter((cell) => cell.callers === callers)
    .map(({ party, rounds }) => figuresOf(party.name, callers, rounds))
    .map(({ name, perSecond, p50, p99, processorMs }) => [
      name,
      perSecond.toFixed(0),
      p50.toFixed(3),
      p99.toFixed(3),
      processorMs?.toFixed(3) ?? '',
    ])
  return table(['', 'calls/s', 'p50 ms', 'p99 ms', 'processor ms/call'], rows)
}

/** Whether a figure of Go's plugin is what it should be; nothing where that was not built. */
function goal(name: string, callers: number, what: 'p50' | 'perSecond', wanted: number): string[] {
  const cell = cells.find(({ party, ...cell }) => party.name === name && cell.callers === callers)
  if (cell === undefined) return []
  const value = figuresOf(name, callers, cell.rounds)[what]
  const isReached = what === 'p50' ? value < wanted : value >= wanted
  const shown =
    what === 'p50'
      ? `p50 ${value.toFixed(2)} ms (to be reached: < ${wanted}`
      : `${value.toFixed(0)} calls/s (to be reached: ${wanted}`
  return [`- ${name}, ${callers} at a time: ${shown}, ${isReached ? 'reached' : 'not reached'})`]
}

const goals = [
  ...goal('quic, Go, a stream a call', 1, 'p50', 0.5),
  ...goal('quic, Go, a stream a call', 32, 'perSecond', 3_500),
  ...goal('quic, Go, a shared stream', 32, 'perSecond', 15_000),
]
const markdown = [
  `Measured on ${machine()}; load average before: ${loadBefore.toFixed(1)}. Medians of ${ROUNDS} rounds of ${ROUND_MS} ms.`,
  ...CALLERS.flatMap((callers) => [callers === 1 ? 'One call at a time:' : `${callers} at a time:`, tableOf(callers)]),
  ...(goals.length > 0 ? [goals.join('\n')] : []),
].join('\n\n')
console.log(markdown)
if (!quick) writeSection('plugins', markdown)
