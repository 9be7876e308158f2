/** Runs the soak: some twenty servers or plugins in front of clients that come and go, for some minutes, and then looks at what is left. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSite } from '../../test/gateway/callboard.ts'
import { keepBreakingOff, keepCancelling, openSession } from './breakers.ts'
import { aliveIn, METERED, type MemoryFigures, Observer } from './observer.ts'
import type { startSoakServers } from './servers.ts'
import { Tally } from './tally.ts'
import { keepVisiting } from './visitors.ts'

const VISITORS = 6
/** As many as are kept at all, so that what sessions take is taken from the start on. */
const SESSIONS_LEFT = 1_000
/** Short, so that calls without an answer do not hold up the clients. */
const CALL_TIMEOUT = '3s'

export interface SoakReport {
  readonly minutes: number
  readonly tally: Tally
  /** Undefined where memory could not be looked at. */
  readonly memory: MemoryFigures | undefined
  /** What of it was alive after a quarter of the time, and right before the end, in megabytes. */
  readonly alive: readonly [afterWarmUp: number, atEnd: number] | undefined
  readonly mostProcesses: number
  /** How many of the servers are processes of Callboard. */
  readonly serverProcesses: number
  /** Starts of servers beyond the first of each. */
  readonly restarts: number
  /** Calls that a server ran more than once, or that it answered and never ran. */
  readonly ranTwice: number
  /** Processes of servers that were left when all was over. */
  readonly orphans: number
  /** What Callboard ended with. */
  readonly exitCode: number | null
}

/** @param start starts the servers, each of which notes its runs in a file */
export async function runSoak(minutes: number, start: typeof startSoakServers): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-soak-'))
  try {
    return await soakIn(folder, minutes, start)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakIn(folder: string, minutes: number, start: typeof startSoakServers): Promise<SoakReport> {
  const ids: string[] = []
  await using servers = await start((id) => {
    ids.push(id)
    return join(folder, `${id}.runs`)
  })
  await using site = createSite(servers.plugins, { limits: { timeout: CALL_TIMEOUT } }, METERED)
  const serving = await site.serve()
  using observer = new Observer(serving.child.pid ?? 0, folder)
  const { tools } = servers
  const tally = new Tally(servers.steadyTools)
  await Promise.all(ids.map((id) => serving.prints(new RegExp(`${id} {2}up`))))
  for (let nth = 0; nth < SESSIONS_LEFT; nth++) await openSession(serving.url)
  const options = { url: serving.url, tools, tally, over: AbortSignal.timeout(minutes * 60_000) }
  const aliveAt = async (part: number) => {
    await pause(minutes * 60_000 * part)
    return aliveIn(serving.child)
  }
  const [[warm, late]] = await Promise.all([
    Promise.all([aliveAt(0.25), aliveAt(0.95)]),
    ...Array.from({ length: VISITORS }, (_, nth) => keepVisiting(options, nth % 2 === 0 ? 0 : 1)),
    keepBreakingOff(options),
    keepBreakingOff(options),
    keepCancelling(options),
  ])
  const memory = observer.memory()
  const exitCode = await serving.stop()
  const httpServers = ids.length - servers.processes
  const orphans = observer.servers().length - httpServers
  const { restarts, ranTwice } = readRuns(ids.map((id) => join(folder, `${id}.runs`)))
  const { mostProcesses } = observer
  return {
    minutes,
    tally,
    memory,
    alive: warm === undefined || late === undefined ? undefined : [warm, late],
    mostProcesses: mostProcesses - httpServers,
    serverProcesses: servers.processes,
    restarts,
    ranTwice,
    orphans,
    exitCode,
  }
}

/** What the servers noted: each of their starts and each call that they ran. */
function readRuns(files: readonly string[]): { restarts: number; ranTwice: number } {
  const seen = new Set<string>()
  let restarts = 0
  let ranTwice = 0
  for (const file of files) {
    let starts = 0
    for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
      if (line === 'started') starts += 1
      else if (line !== '' && seen.has(line)) ranTwice += 1
      else seen.add(line)
    }
    restarts += Math.max(0, starts - 1)
  }
  return { restarts, ranTwice }
}
