/** Puts side by side what the suite finds directly and through Callboard, and says where Callboard falls short. */
import { table } from '../../bench/page.ts'
import type { Verdict, Verdicts } from './referee.ts'
import { whyOutOfScope, whyOutOfScopeAcross } from './scope.ts'

/** The verdicts of one revision. */
export interface Comparison {
  readonly directly: Verdicts
  /** With a server of the same era behind Callboard. */
  readonly through: Verdicts
  /** With a server of the other era behind it. */
  readonly across: Verdicts
}

const HEAD = ['scenario', 'directly', 'through Callboard', 'other era behind it', 'in scope']

/** One row a scenario, as Markdown: the checks that passed and, where there are any, those that failed or warned. */
export function comparisonTable({ directly, through, across }: Comparison): string {
  const rows = [...directly].map(([scenario, verdict]) => [
    scenario,
    cell(verdict),
    cell(through.get(scenario)),
    cell(across.get(scenario)),
    whyOutOfScope(scenario) === undefined ? 'yes' : `no: ${whyOutOfScope(scenario)}`,
  ])
  return table(HEAD, rows)
}

/** One sentence for each scenario in scope that is not passed, by the fixture itself or through Callboard. */
export function shortfalls({ directly, through, across }: Comparison): string[] {
  const found: string[] = []
  for (const [scenario, direct] of directly) {
    if (whyOutOfScope(scenario) !== undefined) continue
    if (isWorse(direct, CLEAN)) found.push(sentence(scenario, 'does not pass against the fixture itself', direct))
    const there = through.get(scenario)
    if (isWorse(there, direct)) found.push(sentence(scenario, 'is worse through Callboard', there))
    if (whyOutOfScopeAcross(scenario) !== undefined) continue
    const beyond = across.get(scenario)
    if (isWorse(beyond, direct)) found.push(sentence(scenario, 'is worse with the other era behind Callboard', beyond))
  }
  return found
}

const CLEAN: Verdict = { passed: 0, failed: 0, warned: 0, complaints: [] }

/** Whether more fails, more warns, or nothing was found at all. */
function isWorse(verdict: Verdict | undefined, than: Verdict): boolean {
  if (verdict === undefined) return true
  return verdict.failed > than.failed || verdict.warned > than.warned || (verdict.passed === 0 && than.passed > 0)
}

function sentence(scenario: string, what: string, verdict: Verdict | undefined): string {
  return [`${scenario} ${what}:`, ...(verdict?.complaints ?? ['it was not run']).map((line) => `  ${line}`)].join('\n')
}

function cell(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'not run'
  const { passed, failed, warned } = verdict
  if (failed > 0) return `✗ ${passed} of ${passed + failed + warned}`
  return warned > 0 ? `! ${passed} of ${passed + warned}` : `✓ ${passed}`
}
