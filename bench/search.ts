/**
 * Measures how good and how fast search is, beside what else one could plug in, and writes the tables into docs/search.md
 * (`--quick`: few tools, prints only; `--sets FOLDER` or CALLBOARD_SEARCH_SETS: where the sets are).
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, table, writeSection } from './page.ts'
import { searcherOf } from './search/engine.ts'
import { ENGINES, LIBRARIES } from './search/engines.ts'
import type { LoadFigures } from './search/load-figures.ts'
import { MEASURES, meanQuality, type Quality, qualityOf } from './search/quality.ts'
import { readSets, type ToolSet } from './search/tool-set.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, sets: { type: 'string' } } })
const folder =
  values.sets ??
  process.env.CALLBOARD_SEARCH_SETS ??
  fileURLToPath(new URL('../../shared/data/search', import.meta.url))
const SIZES = values.quick ? [50, 100] : [500, 4_000, 10_000, 100_000, 1_000_000]
const MEASURE = fileURLToPath(new URL('./search/measure.ts', import.meta.url))
const CALLBOARD = ENGINES[0]?.name ?? ''

interface SetQuality {
  readonly set: string
  /** By name of the engine. */
  readonly of: ReadonlyMap<string, Quality>
}

async function qualities(sets: readonly ToolSet[]): Promise<readonly SetQuality[]> {
  const all: SetQuality[] = []
  for (const set of sets) {
    const of = new Map<string, Quality>()
    for (const engine of ENGINES) of.set(engine.name, await qualityOf(await searcherOf(engine, set.tools), set))
    all.push({ set: set.name, of })
  }
  return all
}

function loads(): readonly LoadFigures[] {
  return SIZES.flatMap((size) =>
    ENGINES.filter(({ mostTools = size }) => size <= mostTools).map((engine): LoadFigures => {
      const args = ['--expose-gc', '--max-old-space-size=14000', MEASURE, engine.name, String(size), folder]
      return JSON.parse(
        execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
      )
    }),
  )
}

const percent = (value: number | undefined): string => ((value ?? Number.NaN) * 100).toFixed(1)
const ms = (value: number): string => (value < 9.95 ? value.toFixed(2) : value.toFixed(0))
const NAMES = ENGINES.map(({ name }) => name)

function macroOf(all: readonly SetQuality[], engine: string): Quality {
  return meanQuality(all.flatMap(({ of }) => of.get(engine) ?? []))
}

function ofSets(all: readonly SetQuality[], measure: keyof Quality): string {
  const rows = all.map(({ set, of }) => [set, ...NAMES.map((name) => percent(of.get(name)?.[measure]))])
  const macro = ['_mean_', ...NAMES.map((name) => percent(macroOf(all, name)[measure]))]
  return table(['', ...NAMES], [...rows, macro])
}

function macros(all: readonly SetQuality[]): string {
  const rows = NAMES.map((name) => {
    const quality = macroOf(all, name)
    return [name, ...MEASURES.map((measure) => percent(quality[measure]))]
  })
  return table(['', 'recall@1', 'recall@5', 'recall@10', 'nDCG@10', 'MRR'], rows)
}

function ofSizes(all: readonly LoadFigures[]): string {
  const rows = all.map(({ engine, tools, buildMs, bytes, p50, p95 }) => [
    `${tools.toLocaleString('en-US')}, ${engine}`,
    `${ms(p50)} / ${ms(p95)}`,
    ms(buildMs),
    (bytes / 1e6).toFixed(1),
    Math.round(bytes / tools).toLocaleString('en-US'),
  ])
  return table(['tools', 'search p50 / p95, ms', 'build, ms', 'MB', 'bytes a tool'], rows)
}

/** Where a library does better, or Callboard not as much better as it should. */
function comparison(all: readonly SetQuality[]): string {
  const best = LIBRARIES.map(({ name }) => ({ name, score: macroOf(all, name).ndcg10 })).sort(
    (a, b) => b.score - a.score,
  )[0]
  const ahead = macroOf(all, CALLBOARD).ndcg10 - (best?.score ?? 0)
  const behind = all.flatMap(({ set, of }) =>
    LIBRARIES.flatMap(({ name }) => {
      const less = (of.get(name)?.ndcg10 ?? 0) - (of.get(CALLBOARD)?.ndcg10 ?? 0)
      return less > 0.0005 ? [`${name} by ${percent(less)} on ${set}`] : []
    }),
  )
  const lines = [`Callboard's mean nDCG@10 is ${percent(ahead)} points above that of ${best?.name}, the best library.`]
  lines.push(
    behind.length === 0 ? 'No library is better on any set.' : `Better than Callboard are ${behind.join(', ')}.`,
  )
  return lines.join(' ')
}

const { sets, missing } = readSets(folder)
if (missing.length > 0) console.log(`Not in ${folder}, so left out: ${missing.join(', ')}.`)
const asked = sets.filter(({ queries }) => queries.length > 0)
if (asked.length === 0) {
  console.log('There is no set with queries, so nothing is measured; name the folder of the sets with --sets.')
} else {
  const quality = await qualities(asked)
  const markdown = [
    `Measured on ${machine()}.`,
    'nDCG@10 in hundredths, set by set:',
    ofSets(quality, 'ndcg10'),
    comparison(quality),
    'All measures, as means over the sets:',
    macros(quality),
    'recall@5, set by set:',
    ofSets(quality, 'recall5'),
    ...(sets.some(({ isOfServers }) => isOfServers) ? ['A search for twenty hits:', ofSizes(loads())] : []),
  ].join('\n\n')
  console.log(markdown)
  if (!values.quick && missing.length === 0) writeSection('search', markdown, 'docs/search.md')
}
