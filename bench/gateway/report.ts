/** Puts the figures of the gateway benchmark into words and tables, with what was to be reached beside what was. */
import { machine, table } from '../performance-page.ts'
import { type Figures, median, tableOf } from './figures.ts'
import { CALLBOARD, FLOOR, MINIMAL, modern, OWN, STDIO_CALLBOARD, STDIO_DIRECT } from './targets.ts'

export interface Report {
  readonly figures: readonly Figures[]
  readonly rounds: number
  readonly callers: readonly number[]
  /** The one-minute load average before anything was started: what else the machine was doing. */
  readonly loadBefore: number
  /** Milliseconds from the start to the first list, with twenty known servers. */
  readonly restarts: readonly number[]
}

/** The section of docs/performance.md. */
export function reportOf({ figures, rounds, callers, loadBefore, restarts }: Report): string {
  const most = Math.max(...callers)
  const tables = callers.map((count) => {
    const heading =
      count === 1 ? 'One caller:' : `${count} callers, each of which sends its next call when the last was answered:`
    return `${heading}\n\n${tableOf(figures.filter((row) => row.callers === count))}`
  })
  const lists = `First \`tools/list\` after a restart with twenty known servers: ${list(restarts)} ms.`
  return [
    `Measured on ${machine()}; load average before: ${loadBefore.toFixed(1)}. Medians of ${rounds} rounds, each of which let every row run in turn.`,
    ...tables,
    lists,
    targetsOf(figures, most, restarts),
  ].join('\n\n')
}

function targetsOf(figures: readonly Figures[], most: number, restarts: readonly number[]): string {
  // Round by round, because the machine is faster in some rounds than in others.
  const ratio = (name: string, to: string) => {
    const others = row(figures, to, most).rates
    return (
      median(row(figures, name, most).rates.map((rate, round) => rate / (others[round] ?? Number.NaN))) ?? Number.NaN
    )
  }
  const added = (name: string, over: string) => row(figures, name, 1).p50 - row(figures, over, 1).p50
  return table(
    ['to be reached', 'target', 'measured', ''],
    [
      atLeast(`calls/s of the minimal proxy, ${most} callers`, 1.7, ratio(CALLBOARD, MINIMAL)),
      atLeast('the same, both on 2026-07-28', 1.7, ratio(modern(CALLBOARD), modern(MINIMAL))),
      atLeast(`calls/s of the floor, ${most} callers`, 0.75, ratio(CALLBOARD, FLOOR)),
      atLeast('the same, Callboard on 2026-07-28', 0.75, ratio(modern(CALLBOARD), FLOOR)),
      below('added p50, HTTP over the server’s own HTTP', 1, added(CALLBOARD, OWN), 2),
      below('added p50, stdio over the server itself', 1, added(STDIO_CALLBOARD, STDIO_DIRECT), 2),
      below('first tools/list after a restart, twenty servers', 1000, median(restarts) ?? Number.NaN, 0),
    ],
  )
}

function atLeast(what: string, target: number, measured: number): string[] {
  return [what, `≥ ${target} ×`, `${measured.toFixed(2)} ×`, verdict(measured >= target)]
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
