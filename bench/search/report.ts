/** Says what was found: the tables for the page, where another engine wins, and what was to be reached. */
import { table } from '../page.ts'
import { ENGINES, LIBRARIES } from './engines.ts'
import { KNOWN_FIGURES } from './known-figures.ts'
import type { LoadFigures } from './load-figures.ts'
import type { Misfits } from './misfits.ts'
import { MEASURES, meanQuality, type Quality } from './quality.ts'

export interface SetQuality {
  readonly set: string
  /** By name of the engine. */
  readonly of: ReadonlyMap<string, Quality>
  /** By name of the engine, where it says that nothing matches well. */
  readonly misfits: ReadonlyMap<string, Misfits>
}

const NAMES = ENGINES.map(({ name }) => name)
const [CALLBOARD = '', WITHOUT_VECTORS = ''] = NAMES

const percent = (value: number | undefined): string => ((value ?? Number.NaN) * 100).toFixed(1)
const ms = (value: number): string => (value < 9.95 ? value.toFixed(2) : value.toFixed(0))

/** All about quality, as Markdown. */
export function qualityReport(all: readonly SetQuality[]): readonly string[] {
  return [
    'nDCG@10 in hundredths, set by set:',
    ofSets(all, 'ndcg10'),
    comparison(all),
    tuning(all),
    'All measures in hundredths, as means over the sets:',
    table(
      ['', 'recall@1', 'recall@5', 'recall@10', 'nDCG@10', 'MRR'],
      NAMES.map((name) => [name, ...MEASURES.map((measure) => percent(macroOf(all, name)[measure]))]),
    ),
    'recall@5 in hundredths, set by set:',
    ofSets(all, 'recall5'),
  ]
}

/** How often nothing was said to match well, as Markdown. */
export function misfitReport(all: readonly SetQuality[]): readonly string[] {
  const engines = [CALLBOARD, WITHOUT_VECTORS]
  const parts = ['ofQueries', 'ofAnswered', 'ofChores'] as const
  const rows = all.map(({ set, misfits }) => [
    set,
    ...engines.flatMap((engine) => parts.map((part) => percent(misfits.get(engine)?.[part]))),
  ])
  const heads = engines.flatMap((_, i) =>
    ['queries', 'answered', 'chores'].map((of) => (i === 0 ? of : `${of} (without vectors)`)),
  )
  return ['Said to have no good match, in hundredths, set by set:', table(['', ...heads], rows)]
}

function ofSets(all: readonly SetQuality[], measure: keyof Quality): string {
  const rows = all.map(({ set, of }) => [set, ...NAMES.map((name) => percent(of.get(name)?.[measure]))])
  const macro = ['_mean_', ...NAMES.map((name) => percent(macroOf(all, name)[measure]))]
  return table(['', ...NAMES], [...rows, macro])
}

function macroOf(all: readonly SetQuality[], engine: string): Quality {
  return meanQuality(all.flatMap(({ of }) => of.get(engine) ?? []))
}

function bestLibrary(all: readonly SetQuality[]): { readonly name: string; readonly lead: number } {
  const scores = LIBRARIES.map(({ name }) => ({ name, score: macroOf(all, name).ndcg10 }))
  const [best = { name: '', score: 0 }] = scores.sort((a, b) => b.score - a.score)
  return { name: best.name, lead: macroOf(all, CALLBOARD).ndcg10 - best.score }
}

/** By how much a library is better than Callboard on a set, for each of both where it is. */
function defeats(all: readonly SetQuality[]): readonly { readonly text: string; readonly by: number }[] {
  return all.flatMap(({ set, of }) =>
    LIBRARIES.flatMap(({ name }) => {
      const by = (of.get(name)?.ndcg10 ?? 0) - (of.get(CALLBOARD)?.ndcg10 ?? 0)
      return by > 0.0005 ? [{ text: `${name} by ${percent(by)} on ${set}`, by }] : []
    }),
  )
}

function comparison(all: readonly SetQuality[]): string {
  const { name, lead } = bestLibrary(all)
  const lost = defeats(all).map(({ text }) => text)
  const lines = [`The mean nDCG@10 of Callboard is ${percent(lead)} points above that of ${name}, the best library.`]
  lines.push(lost.length === 0 ? 'No library is better on any set.' : `Better than Callboard: ${lost.join(', ')}.`)
  return lines.join(' ')
}

/** Whether the libraries are tuned as well as they are known to be: a line of Markdown. */
function tuning(all: readonly SetQuality[]): string {
  const figures = Object.entries(KNOWN_FIGURES).flatMap(([engine, known]) =>
    all.flatMap(({ set, of }) => {
      const [found = 0, least] = [of.get(engine)?.ndcg10, known[set]]
      return least === undefined ? [] : [{ engine, set, found, least }]
    }),
  )
  const said = Object.keys(KNOWN_FIGURES).map((name) => {
    const own = figures.filter(({ engine }) => engine === name)
    return `${name} ${own.map(({ set, found, least }) => `${percent(found)} (${percent(least)}) on ${set}`).join(', ')}`
  })
  // The least figures were rounded.
  const behind = figures.filter(({ found, least }) => found < least - 0.0005)
  const names = behind.map(({ engine, set }) => `${engine} on ${set}`)
  const verdict = behind.length === 0 ? 'Neither is behind.' : `**Behind, so badly tuned here**: ${names.join(', ')}.`
  return `The least that tuned libraries are known to reach, in brackets: ${said.join('; ')}. ${verdict}`
}

/** All about time and memory, as Markdown. */
export function loadReport(all: readonly LoadFigures[]): readonly string[] {
  const rows = all.map(({ engine, tools, buildMs, bytes, p50, p95 }) => [
    `${tools.toLocaleString('en-US')}, ${engine}`,
    `${ms(p50)} / ${ms(p95)}`,
    ms(buildMs),
    (bytes / 1e6).toFixed(1),
    Math.round(bytes / tools).toLocaleString('en-US'),
  ])
  return [
    'A search for twenty hits:',
    table(['tools', 'search p50 / p95, ms', 'build, ms', 'MB', 'bytes a tool'], rows),
  ]
}

/** What was to be reached, and whether it was. */
export function targetReport(quality: readonly SetQuality[], loads: readonly LoadFigures[]): readonly string[] {
  const own = (tools: number, engine = CALLBOARD): LoadFigures | undefined =>
    loads.find((one) => one.engine === engine && one.tools === tools)
  const without = (tools: number): LoadFigures | undefined => own(tools, WITHOUT_VECTORS)
  const worst = Math.max(0, ...defeats(quality).map(({ by }) => by))
  const perTool = (one: LoadFigures | undefined): number | undefined => one && one.bytes / one.tools
  const { lead } = bestLibrary(quality)
  const rows: readonly (readonly [what: string, least: string, found: string, reached: boolean])[] = [
    ['points of mean nDCG@10 above the best library', '≥ 3.5', percent(lead), lead >= 0.035],
    ['points behind a library on any set', '≤ 1', percent(worst), worst <= 0.01],
    ...atMost('p50 at 4,000 tools, ms', 1, own(4_000)?.p50),
    ...atMost('p95 at 4,000 tools, ms', 2, own(4_000)?.p95),
    ...atMost('p50 at 4,000 tools without vectors, ms', 0.3, without(4_000)?.p50),
    ...atMost('p95 at 4,000 tools without vectors, ms', 1, without(4_000)?.p95),
    ...atMost('p50 at 10,000 tools, ms', 2, own(10_000)?.p50),
    ...atMost('p50 at 1,000,000 tools, ms', 10, own(1_000_000)?.p50),
    ...atMost('build at 4,000 tools, ms', 500, own(4_000)?.buildMs),
    ...atMost('build at 1,000,000 tools, ms', 20_000, own(1_000_000)?.buildMs),
    ...atMost('bytes a tool at 4,000 tools without vectors', 1500, perTool(without(4_000))),
    ...atMost('bytes a tool at 1,000,000 tools without vectors', 1500, perTool(without(1_000_000))),
  ]
  const cells = rows.map(([what, least, found, reached]) => [what, least, found, reached ? 'reached' : '**missed**'])
  return [table(['to be reached', 'target', 'measured', ''], cells)]
}

function atMost(what: string, most: number, found: number | undefined): [string, string, string, boolean][] {
  return found === undefined ? [] : [[what, `≤ ${most}`, found < 100 ? ms(found) : found.toFixed(0), found <= most]]
}
