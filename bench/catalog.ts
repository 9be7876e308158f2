/** Measures the catalogue at growing numbers of tools and writes the tables into docs/performance.md (`--quick`: small, prints only). */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CatalogFigures, Timing } from './catalog/figures.ts'
import { type ListingFigures, listingFigures } from './catalog/listing.ts'
import { machine, table, writeSection } from './page.ts'

const quick = process.argv.includes('--quick')
/** Numbers of tools, and how often a thing is asked of each. */
const SIZES: readonly (readonly [tools: number, rounds: number])[] = quick
  ? [
      [100, 20],
      [400, 20],
    ]
  : [
      [1_000, 1_000],
      [10_000, 1_000],
      [100_000, 500],
      [1_000_000, 60],
    ]
const LISTS = quick ? 2 : 100

const MEASURE = fileURLToPath(new URL('./catalog/measure.ts', import.meta.url))

function figuresOf([tools, rounds]: readonly [number, number]): CatalogFigures {
  const args = ['--expose-gc', '--max-old-space-size=12000', MEASURE, String(tools), String(rounds)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

const number = (value: number): string => value.toLocaleString('en-US')
const ms = (value: number | undefined): string =>
  value === undefined ? '-' : value < 0.0995 ? value.toFixed(3) : value < 9.95 ? value.toFixed(2) : value.toFixed(0)
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)
const both = ({ p50, p95 }: Timing): string => `${ms(p50)} / ${ms(p95)}`

function building(all: readonly CatalogFigures[]): string {
  return table(
    [
      'tools',
      'catalogue, ms',
      'index, ms',
      'longest step, ms',
      'definitions, MB',
      'catalogue, MB',
      'index, MB',
      'all three, MB',
      'bytes a tool without definitions',
    ],
    all.map(({ tools, snapshotMs, indexMs, stallMs, definitionBytes, snapshotBytes, indexBytes }) => [
      number(tools),
      ms(snapshotMs),
      ms(indexMs),
      ms(stallMs),
      mb(definitionBytes),
      mb(snapshotBytes),
      mb(indexBytes),
      mb(definitionBytes + snapshotBytes + indexBytes),
      number(Math.round((snapshotBytes + indexBytes) / tools)),
    ]),
  )
}

function answering(all: readonly CatalogFigures[]): string {
  return table(
    ['tools', 'list 50', 'get', 'search, 20 hits', 'search, all hits', 'suggest'],
    all.map((one) => [number(one.tools), ...[one.list, one.get, one.search, one.searchAll, one.suggest].map(both)]),
  )
}

function changing(all: readonly CatalogFigures[]): string {
  return table(
    [
      'tools',
      'next catalogue',
      'next search',
      'search again',
      'filtered view',
      'the same from nothing',
      'first page of tools/list',
      'again',
    ],
    all.map(({ tools, changes }) => [
      number(tools),
      ...[
        changes.snapshot,
        changes.search,
        changes.searchAgain,
        changes.filteredView,
        changes.filteredAnew,
        changes.firstPage,
        changes.samePage,
      ].map(both),
    ]),
  )
}

function listing(all: readonly ListingFigures[]): string {
  return table(
    ['client of', 'processor, ms', 'until it is there, ms', 'MB'],
    all.map(({ era, processorMs, elapsedMs, megabytes }) => [
      era === 'legacy' ? '2025-11-25' : '2026-07-28',
      ms(processorMs),
      ms(elapsedMs),
      megabytes.toFixed(1),
    ]),
  )
}

const figures = SIZES.map(figuresOf)
const markdown = [
  `Measured on ${machine()}.`,
  building(figures),
  'p50 / p95 in milliseconds:',
  answering(figures),
  'After a plugin of 200 tools became another, p50 / p95 in milliseconds:',
  changing(figures),
  'The whole `tools/list` of 1,600 tools of 2.4 kB over HTTP, page after page, asked for again and again:',
  listing(await listingFigures(LISTS)),
].join('\n\n')
console.log(markdown)
if (!quick) writeSection('catalog', markdown)
