/**
 * Measures what four bad servers do to the calls of a good one behind the same Callboard, and how long one large result keeps
 * other calls waiting, and writes both tables into docs/performance.md (`--quick`: a few short rounds, prints only).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fixtureCommand, startHttpFixture } from '../test/fixtures/fixture.ts'
import type { Order, Report } from './gateway/load.ts'
import { Processes } from './gateway/processes.ts'
import { processorMs } from './gateway/processor-time.ts'
import { callboard, freePort, serveCommand } from './gateway/targets.ts'
import { BAD_PLUGINS, callOnce, makeTrouble } from './neighbours/trouble.ts'
import { machine, table, writeSection } from './page.ts'

const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 3 : 15
const ROUND_MS = quick ? 500 : 2_000
/** The large results, in megabytes, and the servers that send them. */
const LARGE = [
  { size: 1, from: 'process' },
  { size: 4, from: 'process' },
  { size: 16, from: 'process' },
  { size: 100, from: 'process' },
  { size: 100, from: 'http' },
  { size: 100, from: 'stream' },
] as const
const MEGABYTE = 1_000_000
const TARGET = 1.2
const TARGET_MS = 50

type Load = (order: Order) => Promise<Report>

interface Stretch {
  readonly calls: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

interface TroubledStretch extends Stretch {
  /** What the host of the bad four used of the processor, in milliseconds a second; not a number where that can't be read. */
  readonly hostMs: number
}

const everything = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

/** A Callboard that serves, by its config. */
interface Host {
  readonly url: string
  readonly config: string
  readonly pid: number
}

async function startHost(processes: Processes, neighbours: Readonly<Record<string, unknown>>): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'callboard.yaml')
  const good = { mcp: { command: process.execPath, args: [everything, 'stdio'] } }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ dataDir: folder, plugins: { good, ...neighbours } }))
  const port = await freePort()
  const { pid } = await processes.startServer(serveCommand(file, port), port, {})
  return { url: `http://127.0.0.1:${port}/mcp`, config: file, pid }
}

async function open(load: Load, key: string, { url }: Host): Promise<void> {
  const target = { kind: 'http', url, tool: 'good_echo', era: 'legacy', session: true } as const
  await load({ kind: 'open', key, target, callers: 1 })
  await load({ kind: 'run', key, ms: ROUND_MS })
}

async function stretch(load: Load, key: string, ms: number): Promise<Stretch> {
  const report = await load({ kind: 'run', key, ms })
  if (report.kind !== 'ran') throw new Error(`the load generator answered ${report.kind} instead of running`)
  const [p50 = Number.NaN, , p99 = Number.NaN, longest = Number.NaN] = report.percentiles
  return { calls: report.calls / report.seconds, p50, p99, longest }
}

/**
 * While the bad four of the host do their worst. The one that crashes is started anew for it: else it would wait longer and
 * longer, be given up after ten crashes, and leave most rounds without any.
 */
async function stretchInTrouble(load: Load, key: string, { url, config, pid }: Host): Promise<TroubledStretch> {
  await promisify(execFile)(process.execPath, [callboard, 'plugins', 'restart', 'crashing', '--config', config])
  const before = processorMs(pid) ?? Number.NaN
  const began = performance.now()
  const calm = makeTrouble(url)
  const measured = await stretch(load, key, ROUND_MS)
  const hostMs = (((processorMs(pid) ?? Number.NaN) - before) * 1000) / (performance.now() - began)
  await calm()
  return { ...measured, hostMs }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const medianOf = (rounds: readonly Stretch[], key: keyof Stretch): number => median(rounds.map((round) => round[key]))

function row(name: string, rounds: readonly Stretch[]): string[] {
  const ms = (key: keyof Stretch): string => medianOf(rounds, key).toFixed(2)
  return [name, medianOf(rounds, 'calls').toFixed(0), ms('p50'), ms('p99')]
}

/**
 * In every round one after the other, so that whatever else the machine does falls on all alike. The bad four behind another
 * Callboard show what they take of the machine itself, which nobody in front of them can change.
 */
async function measureNeighbours(load: Load, host: Host): Promise<string> {
  const alone: Stretch[] = []
  const beside: TroubledStretch[] = []
  const among: Stretch[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await stretch(load, 'alone', ROUND_MS))
    beside.push(await stretchInTrouble(load, 'alone', host))
    among.push(await stretchInTrouble(load, 'among', host))
  }
  const rows = [
    row('alone', alone),
    row('bad ones behind another Callboard', beside),
    row('among four bad neighbours', among),
  ]
  const figures = table(['the good server', 'calls/s', 'p50 ms', 'p99 ms'], rows)
  const verdicts = [verdict('alone', among, alone), verdict('beside them', among, beside)]
  // In those rounds nobody else called it.
  const hostMs = median(beside.map((round) => round.hostMs))
  return [
    figures,
    '',
    ...verdicts,
    `- the host spends on the four: ${hostMs.toFixed(0)} ms of the processor a second`,
  ].join('\n')
}

function verdict(what: string, among: readonly Stretch[], other: readonly Stretch[]): string {
  const ratio = medianOf(among, 'p99') / medianOf(other, 'p99')
  const outcome = ratio <= TARGET ? 'reached' : '**missed**'
  return `- p99 among bad neighbours over that of ${what}: ${ratio.toFixed(2)} × (to be reached: ≤ ${TARGET} ×, ${outcome})`
}

/** Each round once with the other calls behind the same Callboard, and once behind another: there they wait for the machine alone. */
async function measureLargeResults(load: Load, { url }: Host): Promise<string> {
  const rows: string[][] = []
  const verdicts: string[] = []
  for (const { size, from } of LARGE) {
    const took: number[] = []
    const longest = { large: [] as number[], alone: [] as number[] }
    for (let round = 0; round < (quick ? 1 : 5); round += 1)
      for (const key of ['large', 'alone'] as const) {
        const [calls, ms] = await Promise.all([
          stretch(load, key, 3_000),
          takeLarge(url, `${from}_big`, size * MEGABYTE),
        ])
        longest[key].push(calls.longest)
        took.push(ms)
      }
    const ms = (values: readonly number[]): string => median(values).toFixed(0)
    rows.push([`${size} MB`, SENT[from], ms(took), ms(longest.large), ms(longest.alone)])
    if (size !== 100) continue
    const outcome = median(longest.large) <= TARGET_MS ? 'reached' : '**missed**'
    verdicts.push(`- 100 MB ${SENT[from]}: ${ms(longest.large)} ms (to be reached: ≤ ${TARGET_MS} ms, ${outcome})`)
  }
  const head = [
    'one result of',
    'sent',
    'answered after, ms',
    'longest other call meanwhile, ms',
    'behind another Callboard, ms',
  ]
  return `${table(head, rows)}\n\n${verdicts.join('\n')}`
}

/** How long it takes, in milliseconds. */
async function takeLarge(url: string, tool: string, bytes: number): Promise<number> {
  const began = performance.now()
  const length = await callOnce(url, tool, { bytes }, AbortSignal.timeout(60_000))
  if (length < bytes) throw new Error(`a result of ${length} bytes instead of ${bytes}`)
  return performance.now() - began
}

const SENT = { process: 'over stdio', http: 'over HTTP', stream: 'as an event over HTTP' } as const

await using processes = new Processes()
await using plain = await startHttpFixture('echo-server')
await using streaming = await startHttpFixture('echo-server', ['--sse'])
const [loadBefore = Number.NaN] = loadavg()
const alone = await startHost(processes, {})
const among = await startHost(processes, BAD_PLUGINS)
const large = await startHost(processes, {
  process: { mcp: fixtureCommand('echo-server') },
  http: { mcp: { url: plain.url } },
  stream: { mcp: { url: streaming.url } },
})
const load = processes.startLoad()
await open(load, 'alone', alone)
await open(load, 'among', among)
await open(load, 'large', large)
const largeResults = await measureLargeResults(load, large)
const neighbours = await measureNeighbours(load, among)
await load({ kind: 'close' })
const markdown = [
  `Measured on ${machine()}; load average before: ${loadBefore.toFixed(1)}. Medians of ${ROUNDS} rounds of ${ROUND_MS / 1000} s, alone and among neighbours in turn.`,
  neighbours,
  'While one large result passes (medians of five):',
  largeResults,
].join('\n\n')
console.log(markdown)
if (!quick) writeSection('neighbours', markdown)
