/** Puts the figures of the gateway benchmark into words and tables, with what was to be reached beside what was. */
import { machine, table } from '../page.ts'
import { type Figures, median, tableOf } from './figures.ts'
import { CALLBOARD, FLOOR, MINIMAL, modern, OWN, STDIO_CALLBOARD, STDIO_DIRECT, UNAUDITED } from './targets.ts'

/** What was measured of calls. */
export interface Measured {
  readonly figures: readonly Figures[]
  readonly rounds: number
  /** How often everything was started for them. */
  readonly sets: number
  readonly callers: readonly number[]
  /** The one-minute load average before anything was started: what else the machine was doing. */
  readonly loadBefore: number
}

export interface Report extends Measured {
  /** Milliseconds from the start to the first list, with twenty known servers. */
  readonly restarts: readonly number[]
}

/** The section of docs/performance.md. */
export function reportOf({ restarts, ...measured }: Report): string {
  const { figures, callers } = measured
  const most = Math.max(...callers)
  const added = (name: string, over: string) => row(figures, name, 1).p50 - row(figures, over, 1).p50
  return [
    measuredOn(measured),
    ...tablesOf(measured),
    `First \`tools/list\` after a restart with twenty known servers: ${list(restarts)} ms.`,
    targets([
      atLeast(`calls/s of the minimal proxy, ${most} callers`, 1.7, ratio(figures, CALLBOARD, MINIMAL, most)),
      atLeast('the same, both on 2026-07-28', 1.7, ratio(figures, modern(CALLBOARD), modern(MINIMAL), most)),
      atLeast(`calls/s of the floor, ${most} callers`, 0.75, ratio(figures, CALLBOARD, FLOOR, most)),
      atLeast('the same, Callboard on 2026-07-28', 0.75, ratio(figures, modern(CALLBOARD), FLOOR, most)),
      ...auditTargets(figures, most),
      below('added p50, HTTP over the server’s own HTTP', 1, added(CALLBOARD, OWN), 2),
      below('added p50, stdio over the server itself', 1, added(STDIO_CALLBOARD, STDIO_DIRECT), 2),
      below('first tools/list after a restart, twenty servers', 1000, median(restarts) ?? Number.NaN, 0),
    ]),
  ].join('\n\n')
}

/** What the audit costs. */
export function auditReportOf(measured: Measured): string {
  const { figures, callers } = measured
  return [measuredOn(measured), ...tablesOf(measured), targets(auditTargets(figures, Math.max(...callers)))].join(
    '\n\n',
  )
}

function measuredOn({ rounds, sets, loadBefore }: Measured): string {
  return `Measured on ${machine()}; load average before: ${loadBefore.toFixed(1)}. Medians of ${rounds} rounds, each of which let every row run in turn; everything was started ${sets} times for them.`
}

function tablesOf({ figures, callers }: Measured): readonly string[] {
  return callers.map((count) => {
    const heading =
      count === 1 ? 'One caller:' : `${count} callers, each of which sends its next call when the last was answered:`
    return `${heading}\n\n${tableOf(figures.filter((row) => row.callers === count))}`
  })
}

function targets(rows: readonly (readonly string[])[]): string {
  return table(['to be reached', 'target', 'measured', ''], rows)
}

function auditTargets(figures: readonly Figures[], most: number): readonly (readonly string[])[] {
  return [
    atLeast(`calls/s without the audit, ${most} callers`, 0.95, ratio(figures, CALLBOARD, UNAUDITED, most)),
    atLeast('the same, both on 2026-07-28', 0.95, ratio(figures, modern(CALLBOARD), modern(UNAUDITED), most)),
    atLeast('calls/s without the audit, one caller', 0.9, ratio(figures, CALLBOARD, UNAUDITED, 1)),
    atLeast('the same, both on 2026-07-28', 0.9, ratio(figures, modern(CALLBOARD), modern(UNAUDITED), 1)),
  ]
}

/** Round by round, because the machine is faster in some rounds than in others; the smallest first. */
function ratio(figures: readonly Figures[], name: string, to: string, callers: number): readonly number[] {
  const others = row(figures, to, callers).rates
  const ratios = row(figures, name, callers).rates.map((rate, round) => rate / (others[round] ?? Number.NaN))
  return ratios.toSorted((a, b) => a - b)
}

/** The median decides; where half of the rounds lie stands behind it. */
function atLeast(what: string, target: number, ratios: readonly number[]): string[] {
  const measured = median(ratios) ?? Number.NaN
  const [low, high] = [0.25, 0.75].map((part) => (ratios[Math.floor(ratios.length * part)] ?? Number.NaN).toFixed(2))
  return [what, `≥ ${target} ×`, `${measured.toFixed(3)} × (${low} to ${high})`, verdict(measured >= target)]
}

function below(what: string, target: number, measured: number, digits: number): string[] {
  return [what, `< ${target} ms`, `${measured.toFixed(digits)} ms`, verdict(measured < target)]
}

function row(figures: readonly Figures[], name: string, callers: number): Figures {
  const found = figures.find((one) => one.name === name && one.callers === callers)
  if (found === undefined) throw new Error(`no figures of ${name} with ${callers} callers`)
  return found
}

const verdict = (reached: boolean): string => (reached ? 'reached' : '**missed**')
const list = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ')
