/** Puts the figures of the gateway benchmark into words and tables, with what was to be reached beside what was. */
import { machine, table } from '../performance-page.ts'
import { type Figures, median, tableOf } from './figures.ts'
import { CALLBOARD, FLOOR, MINIMAL, modern, OWN, STDIO_CALLBOARD, STDIO_DIRECT } from './targets.ts'

export interface Report {
  readonly figures: readonly Figures[]
  readonly rounds: number
  readonly callers: readonly number[]
  /** Milliseconds from the start to the first list, with twenty known servers. */
  readonly restarts: readonly number[]
}

/** The section of docs/performance.md. */
export function reportOf({ figures, rounds, callers, restarts }: Report): string {
  const most = Math.max(...callers)
  const tables = callers.map((count) => {
    const heading =
      count === 1 ? 'One caller:' : `${count} callers, each of which sends its next call when the last was answered:`
    return `${heading}\n\n${tableOf(figures.filter((row) => row.callers === count))}`
  })
  const lists = `First \`tools/list\` after a restart with twenty known servers: ${list(restarts)} ms.`
  return [
    `Measured on ${machine()}. Medians of ${rounds} rounds, each of which let every row run in turn.`,
    ...tables,
    lists,
    targetsOf(figures, most, restarts),
  ].join('\n\n')
}

function targetsOf(figures: readonly Figures[], most: number, restarts: readonly number[]): string {
  const rate = (name: string) => row(figures, name, most).perSecond
  const added = (name: string, over: string) => row(figures, name, 1).p50 - row(figures, over, 1).p50
  const minimal = rate(CALLBOARD) / rate(MINIMAL)
  const modernMinimal = rate(modern(CALLBOARD)) / rate(modern(MINIMAL))
  const floor = rate(CALLBOARD) / rate(FLOOR)
  const modernFloor = rate(modern(CALLBOARD)) / rate(FLOOR)
  const overHttp = added(CALLBOARD, OWN)
  const overStdio = added(STDIO_CALLBOARD, STDIO_DIRECT)
  const first = median(restarts) ?? Number.NaN
  return table(
    ['to be reached', 'target', 'measured', ''],
    [
      [`calls/s of the minimal proxy, ${most} callers`, '≥ 1.7 ×', times(minimal), verdict(minimal >= 1.7)],
      [`the same, both on 2026-07-28`, '≥ 1.7 ×', times(modernMinimal), verdict(modernMinimal >= 1.7)],
      [`calls/s of the floor, ${most} callers`, '≥ 0.75 ×', times(floor), verdict(floor >= 0.75)],
      [`the same, Callboard on 2026-07-28`, '≥ 0.75 ×', times(modernFloor), verdict(modernFloor >= 0.75)],
      ['added p50, HTTP over the server’s own HTTP', '< 1 ms', `${overHttp.toFixed(2)} ms`, verdict(overHttp < 1)],
      ['added p50, stdio over the server itself', '< 1 ms', `${overStdio.toFixed(2)} ms`, verdict(overStdio < 1)],
      [
        'first tools/list after a restart, twenty servers',
        '< 1000 ms',
        `${first.toFixed(0)} ms`,
        verdict(first < 1000),
      ],
    ],
  )
}

function row(figures: readonly Figures[], name: string, callers: number): Figures {
  const found = figures.find((one) => one.name === name && one.callers === callers)
  if (found === undefined) throw new Error(`no figures of ${name} with ${callers} callers`)
  return found
}

const times = (ratio: number): string => `${ratio.toFixed(2)} ×`
const verdict = (reached: boolean): string => (reached ? 'reached' : '**missed**')
const list = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ')
