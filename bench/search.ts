/**
 * Measures how good and how fast search is, beside what else one could plug in, and writes the tables into docs/search.md
 * (`--quick`: few tools, prints only; `--tools N`: times with so many tools only, prints only; `--sets FOLDER` or
 * CALLBOARD_SEARCH_SETS: where the sets are).
 */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, writeSection } from './page.ts'
import { searcherOf } from './search/engine.ts'
import { ENGINES } from './search/engines.ts'
import type { LoadFigures } from './search/load-figures.ts'
import { type Misfits, misfitsOf } from './search/misfits.ts'
import { type Quality, qualityOf } from './search/quality.ts'
import { loadReport, misfitReport, qualityReport, type SetQuality, targetReport } from './search/report.ts'
import { readSets, type ToolSet } from './search/tool-set.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, tools: { type: 'string' }, sets: { type: 'string' } },
})
const folder =
  values.sets ??
  process.env.CALLBOARD_SEARCH_SETS ??
  fileURLToPath(new URL('../../shared/data/search', import.meta.url))
const SIZES = values.quick ? [50, 100] : [500, 4_000, 10_000, 100_000, 1_000_000]
const ONLY = values.tools === undefined ? undefined : Number(values.tools)
const MEASURE = fileURLToPath(new URL('./search/measure.ts', import.meta.url))

/** On standard error, since a whole run takes a while. */
function tell(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`)
}

async function qualities(sets: readonly ToolSet[]): Promise<readonly SetQuality[]> {
  const all: SetQuality[] = []
  for (const set of sets) {
    tell(`quality on ${set.name}`)
    const of = new Map<string, Quality>()
    const misfits = new Map<string, Misfits>()
    for (const engine of ENGINES) {
      const searcher = await searcherOf(engine, set.tools)
      of.set(engine.name, await qualityOf(searcher, set))
      const found = await misfitsOf(searcher, set)
      if (found) misfits.set(engine.name, found)
    }
    all.push({ set: set.name, of, misfits })
  }
  return all
}

function loads(sizes: readonly number[]): readonly LoadFigures[] {
  return sizes.flatMap((size) =>
    ENGINES.filter(({ mostTools = size }) => size <= mostTools).map((engine): LoadFigures => {
      tell(`${size.toLocaleString('en-US')} tools, ${engine.name}`)
      const args = ['--expose-gc', '--max-old-space-size=14000', MEASURE, engine.name, String(size), folder]
      return JSON.parse(
        execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
      )
    }),
  )
}

const { sets, missing } = readSets(folder)
if (missing.length > 0) console.log(`Not in ${folder}, so left out: ${missing.join(', ')}.`)
const asked = sets.filter(({ queries }) => queries.length > 0)
if (asked.length === 0) {
  console.log('There is no set with queries, so nothing is measured; name the folder of the sets with --sets.')
} else if (ONLY !== undefined) {
  console.log(loadReport(loads([ONLY])).join('\n\n'))
} else {
  const load = (): string => (loadavg()[0] ?? 0).toFixed(1)
  const [before, start] = [load(), performance.now()]
  const quality = await qualities(asked)
  const figures = sets.some(({ isOfServers }) => isOfServers) ? loads(SIZES) : []
  const minutes = Math.max(1, Math.round((performance.now() - start) / 60_000))
  const markdown = [
    `Measured in one run of ${minutes} min on ${machine()}; load average before ${before}, after ${load()}.`,
    ...qualityReport(quality),
    ...misfitReport(quality),
    ...loadReport(figures),
    ...targetReport(quality, figures),
  ].join('\n\n')
  console.log(markdown)
  if (!values.quick && missing.length === 0) writeSection('search', markdown, 'docs/search.md')
}
