/**
 * Measures how good and how fast search is, beside what else one could plug in, and writes the tables into docs/search.md
 * (`--quick`: few tools, prints only; `--sets FOLDER` or CALLBOARD_SEARCH_SETS: where the sets are).
 */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, writeSection } from './page.ts'
import { searcherOf } from './search/engine.ts'
import { ENGINES } from './search/engines.ts'
import type { LoadFigures } from './search/load-figures.ts'
import { type Quality, qualityOf } from './search/quality.ts'
import { loadReport, qualityReport, type SetQuality, targetReport } from './search/report.ts'
import { readSets, type ToolSet } from './search/tool-set.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, sets: { type: 'string' } } })
const folder =
  values.sets ??
  process.env.CALLBOARD_SEARCH_SETS ??
  fileURLToPath(new URL('../../shared/data/search', import.meta.url))
const SIZES = values.quick ? [50, 100] : [500, 4_000, 10_000, 100_000, 1_000_000]
const MEASURE = fileURLToPath(new URL('./search/measure.ts', import.meta.url))

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

const { sets, missing } = readSets(folder)
if (missing.length > 0) console.log(`Not in ${folder}, so left out: ${missing.join(', ')}.`)
const asked = sets.filter(({ queries }) => queries.length > 0)
if (asked.length === 0) {
  console.log('There is no set with queries, so nothing is measured; name the folder of the sets with --sets.')
} else {
  const load = loadavg()[0]?.toFixed(1)
  const quality = await qualities(asked)
  const figures = sets.some(({ isOfServers }) => isOfServers) ? loads() : []
  const markdown = [
    `Measured on ${machine()}; load average before: ${load}.`,
    ...qualityReport(quality),
    ...loadReport(figures),
    ...targetReport(quality, figures),
  ].join('\n\n')
  console.log(markdown)
  if (!values.quick && missing.length === 0) writeSection('search', markdown, 'docs/search.md')
}
