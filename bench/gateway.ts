/**
 * Measures what Callboard costs in front of an MCP server, beside that server itself, a minimal proxy on the same SDK and
 * the floor, and writes the tables into docs/performance.md (`--quick`: a few short rounds, prints only; `--audit`: only what
 * the audit costs, prints only).
 */
import { loadavg } from 'node:os'
import { figuresOf, type Round } from './gateway/figures.ts'
import type { Order, Report } from './gateway/load.ts'
import { Processes } from './gateway/processes.ts'
import { processorMs, residentMb } from './gateway/processor-time.ts'
import { auditReportOf, reportOf } from './gateway/report.ts'
import { measureRestarts } from './gateway/restart.ts'
import { startAuditTargets, startTargets, type Target } from './gateway/targets.ts'
import { writeSection } from './page.ts'

const quick = process.argv.includes('--quick')
const auditOnly = process.argv.includes('--audit')
/** How often everything is started anew: two processes of the same program differ by a few percent for as long as they run. */
const SETS = quick ? 1 : 3
const ROUNDS = quick ? 3 : 7
const ROUND_MS = quick ? 250 : 400
const WARM_UP_MS = quick ? 300 : 3_000
const FEW_CALLS_MS = 30
const CALLERS = [1, 16]
const SERVERS = 20
const RESTARTS = quick ? 1 : 5

/** One target with so many callers. */
interface Cell {
  readonly key: string
  readonly name: string
  readonly callers: number
  readonly pid: number | undefined
  readonly prepare: () => Promise<void>
  readonly rounds: Round[]
}

type Measured = Pick<Cell, 'name' | 'callers' | 'rounds'>

type Load = (order: Order) => Promise<Report>

async function open(load: Load, { name, target, pid, prepare }: Target, callers: number): Promise<Cell> {
  const key = `${name}/${callers}`
  const opened = await load({ kind: 'open', key, target, callers })
  const ready = async (): Promise<void> => prepare?.(() => load({ kind: 'run', key, ms: FEW_CALLS_MS }))
  await ready()
  await load({ kind: 'run', key, ms: WARM_UP_MS })
  const own = opened.kind === 'opened' ? opened.pid : undefined
  return { key, name, callers, pid: pid ?? own, prepare: ready, rounds: [] }
}

async function runRound(load: Load, { key, pid, prepare, rounds }: Cell): Promise<void> {
  await prepare()
  const used = () => (pid === undefined ? undefined : processorMs(pid))
  const before = used()
  const report = await load({ kind: 'run', key, ms: ROUND_MS })
  if (report.kind !== 'ran') throw new Error(`the load generator answered ${report.kind} instead of running`)
  const after = used()
  rounds.push({
    ...report,
    processorMs: before === undefined || after === undefined ? undefined : (after - before) / report.calls,
    residentMb: pid === undefined ? undefined : residentMb(pid),
  })
}

async function measureSet(): Promise<readonly Measured[]> {
  await using processes = new Processes()
  const targets = await (auditOnly ? startAuditTargets : startTargets)(processes)
  const load = processes.startLoad()
  const cells: Cell[] = []
  for (const callers of CALLERS) for (const target of targets) cells.push(await open(load, target, callers))
  // One after the other in every round, so that whatever else the machine does falls on all of them alike.
  for (let round = 0; round < ROUNDS; round += 1) for (const cell of cells) await runRound(load, cell)
  await load({ kind: 'close' })
  return cells
}

/** Each cell with the rounds of all sets, in order. */
async function measureCalls(): Promise<readonly Measured[]> {
  const sets: (readonly Measured[])[] = []
  for (let set = 0; set < SETS; set += 1) sets.push(await measureSet())
  const [first = []] = sets
  return first.map((cell, i) => ({ ...cell, rounds: sets.flatMap((set) => set[i]?.rounds ?? []) }))
}

const [loadBefore = Number.NaN] = loadavg()
const cells = await measureCalls()
const measured = {
  figures: cells.map(({ name, callers, rounds }) => figuresOf(name, callers, rounds)),
  rounds: SETS * ROUNDS,
  sets: SETS,
  callers: CALLERS,
  loadBefore,
}
if (auditOnly) console.log(auditReportOf(measured))
else {
  const markdown = reportOf({ ...measured, restarts: await measureRestarts(SERVERS, RESTARTS) })
  console.log(markdown)
  if (!quick) writeSection('gateway', markdown)
}
