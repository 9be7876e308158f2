/** Measures the catalogue at growing numbers of tools and writes the tables into docs/performance.md (`--quick`: small, prints only). */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CatalogFigures, Timing } from './catalog/figures.ts'
import { machine, table, writeSection } from './performance-page.ts'

const quick = process.argv.includes('--quick')
const SIZES = quick ? [100, 400] : [1_000, 10_000, 100_000]
const ROUNDS = quick ? 20 : 1_000

const MEASURE = fileURLToPath(new URL('./catalog/measure.ts', import.meta.url))

function figuresOf(tools: number): CatalogFigures {
  const args = ['--expose-gc', MEASURE, String(tools), String(ROUNDS)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

const number = (value: number): string => value.toLocaleString('en-US')
const ms = (value: number): string =>
  value < 0.0995 ? value.toFixed(3) : value < 9.95 ? value.toFixed(2) : value.toFixed(0)
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)
const both = ({ p50, p95 }: Timing): string => `${ms(p50)} / ${ms(p95)}`

function report(all: readonly CatalogFigures[]): string {
  const building = table(
    ['tools', 'snapshot, ms', 'index, ms', 'definitions, MB', 'snapshot, MB', 'index, MB', 'all three, MB'],
    all.map((one) => [
      number(one.tools),
      ms(one.snapshotMs),
      ms(one.indexMs),
      mb(one.definitionBytes),
      mb(one.snapshotBytes),
      mb(one.indexBytes),
      mb(one.definitionBytes + one.snapshotBytes + one.indexBytes),
    ]),
  )
  const answering = table(
    [
      'tools',
      'list 50',
      'get',
      'search, 20 hits',
      'search, all hits',
      'suggest',
      'one plugin changed',
      'filtered view',
    ],
    all.map((one) => [
      number(one.tools),
      ...[one.list, one.get, one.search, one.searchAll, one.suggest, one.change, one.filteredView].map(both),
    ]),
  )
  return [`Measured on ${machine()}.`, building, 'p50 / p95 in milliseconds:', answering].join('\n\n')
}

const markdown = report(SIZES.map(figuresOf))
console.log(markdown)
if (!quick) writeSection('catalog', markdown)
