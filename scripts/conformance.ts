/**
 * Runs the official conformance suite against a fixture, directly and through `callboard serve --only`, for both revisions of
 * the protocol; prints what passes where and ends with 1 when Callboard falls short in scope.
 */
import { startHttpFixture } from '../test/fixtures/fixture.ts'
import { createSite } from '../test/gateway/callboard.ts'
import { comparisonTable, shortfalls } from './conformance/comparison.ts'
import { judge, type Revision, type Verdicts } from './conformance/referee.ts'

const FIXTURE = 'conformance-server'
const ERAS = { '2025-11-25': { same: 'legacy', other: 'modern' }, '2026-07-28': { same: 'modern', other: 'legacy' } }

async function directly(revision: Revision): Promise<Verdicts> {
  await using fixture = await startHttpFixture(FIXTURE)
  return await judge(fixture.url, revision)
}

async function through(revision: Revision, era: string): Promise<Verdicts> {
  await using fixture = await startHttpFixture(FIXTURE, ['--era', era])
  await using site = createSite({ conformance: { mcp: { url: fixture.url } } })
  const serving = await site.serve('--only', 'conformance')
  // The suite tests the guards of a server on localhost only when it is named so.
  return await judge(serving.url.replace('127.0.0.1', 'localhost'), revision)
}

const found: string[] = []
for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  const { same, other } = ERAS[revision]
  const comparison = {
    directly: await directly(revision),
    through: await through(revision, same),
    across: await through(revision, other),
  }
  console.log(`## ${revision}\n\n${comparisonTable(comparison)}\n`)
  found.push(...shortfalls(comparison).map((line) => `${revision}: ${line}`))
}
for (const line of found) console.error(line)
process.exitCode = found.length > 0 ? 1 : 0
