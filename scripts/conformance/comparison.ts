/** Puts side by side what the suite finds directly and through Callboard, and says where Callboard falls short. */
import { table } from '../../bench/page.ts'
import type { Verdict, Verdicts } from './referee.ts'
import { whyFewerChecks, whyOutOfScope, whyOutOfScopeAcross } from './scope.ts'

/** The verdicts of one revision. */
export interface Comparison {
  readonly directly: Verdicts
  /** With a server of the same era behind Callboard. */
  readonly through: Verdicts
  /** With a server of the other era behind it. */
  readonly across: Verdicts
}

const HEAD = ['scenario', 'directly', 'through Callboard', 'other era behind it', 'in scope']

/**
 * One row a scenario, as Markdown: the checks that passed, and of how many where some failed, warned or are missing; and
 * why Callboard is not held to the scenario or to a part of it.
 */
export function comparisonTable({ directly, through, across }: Comparison): string {
  const rows = [...directly].map(([scenario, direct]) => {
    const others = [through.get(scenario), across.get(scenario)]
    return [scenario, cell(direct), ...others.map((verdict) => cell(verdict, direct)), scope(scenario, direct, others)]
  })
  return table(HEAD, rows)
}

/** One sentence for each scenario in scope that the fixture itself or Callboard does not pass, or that lacks checks. */
export function shortfalls({ directly, through, across }: Comparison): string[] {
  const found: string[] = []
  for (const [scenario, direct] of directly) {
    if (whyOutOfScope(scenario) !== undefined) continue
    if (isWorse(direct, CLEAN)) found.push(sentence(scenario, 'does not pass against the fixture itself', direct))
    found.push(...shortfallsOf(scenario, through.get(scenario), direct, 'through Callboard'))
    if (whyOutOfScopeAcross(scenario) !== undefined) continue
    found.push(...shortfallsOf(scenario, across.get(scenario), direct, 'with the other era behind Callboard'))
  }
  return found
}

function shortfallsOf(scenario: string, verdict: Verdict | undefined, direct: Verdict, where: string): string[] {
  if (verdict === undefined || isWorse(verdict, direct)) return [sentence(scenario, `is worse ${where}`, verdict)]
  const missing = direct.passed - verdict.passed
  if (missing <= 0 || whyFewerChecks(scenario, missing) !== undefined) return []
  return [`${scenario} has ${fewerChecks(verdict, direct)} ${where}, and nothing in scope.ts says why`]
}

const CLEAN: Verdict = { passed: 0, failed: 0, warned: 0, complaints: [] }

/** Whether more fails, more warns, or nothing was found at all. */
function isWorse(verdict: Verdict, than: Verdict): boolean {
  return verdict.failed > than.failed || verdict.warned > than.warned || (verdict.passed === 0 && than.passed > 0)
}

function sentence(scenario: string, what: string, verdict: Verdict | undefined): string {
  return [`${scenario} ${what}:`, ...(verdict?.complaints ?? ['it was not run']).map((line) => `  ${line}`)].join('\n')
}

function cell(verdict: Verdict | undefined, direct?: Verdict): string {
  if (verdict === undefined) return 'not run'
  const { passed, failed, warned } = verdict
  if (failed > 0) return `✗ ${passed} of ${passed + failed + warned}`
  if (warned > 0) return `! ${passed} of ${passed + warned}`
  return direct === undefined || passed >= direct.passed ? `✓ ${passed}` : `✓ ${fewerChecks(verdict, direct)}`
}

function fewerChecks({ passed }: Verdict, direct: Verdict): string {
  return `fewer checks: ${passed} of ${direct.passed}`
}

function scope(scenario: string, direct: Verdict, others: readonly (Verdict | undefined)[]): string {
  const why = whyOutOfScope(scenario)
  if (why !== undefined) return `no: ${why}`
  const whyAcross = whyOutOfScopeAcross(scenario)
  const [whyFewer] = others.flatMap((verdict) =>
    verdict?.failed === 0 ? (whyFewerChecks(scenario, direct.passed - verdict.passed) ?? []) : [],
  )
  return [
    'yes',
    ...(whyFewer === undefined ? [] : [`fewer checks: ${whyFewer}`]),
    ...(whyAcross === undefined ? [] : [`not with the other era: ${whyAcross}`]),
  ].join('; ')
}
