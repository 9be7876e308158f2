/** Runs the official conformance suite against one server and reads what it found. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const REFEREE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
/** A run takes some ten seconds; one that hangs says which server does not answer. */
const DEADLINE_MS = 180_000

export type Revision = '2025-11-25' | '2026-07-28'

/** What one scenario found, as numbers of its checks. */
export interface Verdict {
  readonly passed: number
  readonly failed: number
  readonly warned: number
  /** What is wrong, one line for each check that failed or warned. */
  readonly complaints: readonly string[]
}

/** The verdicts by scenario, in the order in which the suite ran them. */
export type Verdicts = ReadonlyMap<string, Verdict>

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/**
 * Runs every scenario of a revision, those too that the suite does not score. Throws when the suite itself did not run to
 * its end; what it found wrong with the server is in the verdicts.
 */
export async function judge(url: string, revision: Revision): Promise<Verdicts> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-conformance-'))
  try {
    const args = [REFEREE, 'server', '--url', url, '--requirements', revision, '--output-dir', folder]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: DEADLINE_MS })
    const printed = Promise.all([text(child.stdout), text(child.stderr)])
    await once(child, 'exit')
    const [out, err] = await printed
    // The exit code tells of the server, and so is no help; the summary comes last.
    if (!out.includes('=== SUMMARY ===')) throw new Error(`the conformance suite broke off:\n${out}\n${err}`)
    return new Map(readdirSync(folder).map((name) => [scenarioOf(name), verdictOf(join(folder, name))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder of results is named `server-SCENARIO-TIME`. */
function scenarioOf(folder: string): string {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '')
}

function verdictOf(folder: string): Verdict {
  const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))
  const count = (status: string): number => checks.filter((check) => check.status === status).length
  return {
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warned: count('WARNING'),
    complaints: checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, status, errorMessage }) => `${status.toLowerCase()} ${id}: ${errorMessage ?? 'no reason given'}`),
  }
}
