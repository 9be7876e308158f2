/** Measures the catalogue with one number of tools; a process of its own, with --expose-gc, so that memory figures are clean. */
import { createCatalogView } from '../../packages/callboard/src/catalog/catalog-view.ts'
import { CatalogSnapshot, type CatalogTool } from '../../packages/callboard/src/catalog/snapshot.ts'
import { generatedTools, randomNumbers } from '../generated-tools.ts'
import type { CatalogFigures, Timing } from './figures.ts'
import { queries } from './queries.ts'

const PAGE = 50
const HITS = 20

/** Milliseconds that `work` takes. */
function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** The timing of `rounds` runs, after a tenth as many that warm up. */
function timingOf(rounds: number, work: (round: number) => unknown): Timing {
  for (let i = 0; i < rounds / 10; i++) work(i)
  const times = Array.from({ length: rounds }, (_, i) => timeOf(() => work(i))).sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}

/** Bytes in use after a full collection, typed arrays included. */
function bytesInUse(): number {
  if (!globalThis.gc) throw new Error('run this with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function toolOf(definition: CatalogTool['definition']): CatalogTool {
  const { package: pluginId, name: declaredName, description = '' } = definition
  const name = `${pluginId}_${declaredName}`
  const namespacedName = `plugin:${pluginId}:${declaredName}`
  return {
    entry: { name, description, pluginId, category: 'external', providers: [], namespacedName, declaredName },
    definition,
  }
}

function measure(count: number, rounds: number): CatalogFigures {
  const empty = bytesInUse()
  const definitions = generatedTools(count)
  const withDefinitions = bytesInUse()
  let snapshot = CatalogSnapshot.empty
  const snapshotMs = timeOf(() => {
    snapshot = CatalogSnapshot.empty.with({ put: definitions.map(toolOf) })
  })
  const view = createCatalogView(snapshot)
  const withSnapshot = bytesInUse()
  const indexMs = timeOf(() => [view.search('first', { limit: 1 }), view.suggest('first', 1)])
  const withIndex = bytesInUse()

  const random = randomNumbers(1)
  const anyTool = (): CatalogTool['entry'] | undefined => snapshot.tools[Math.floor(random() * count)]?.entry
  const words = queries(
    snapshot.tools.map(({ entry }) => entry),
    random,
  )
  const query = (round: number): string => words[round % words.length] ?? ''
  return {
    tools: count,
    snapshotMs,
    indexMs,
    definitionBytes: withDefinitions - empty,
    snapshotBytes: withSnapshot - withDefinitions,
    indexBytes: withIndex - withSnapshot,
    list: timingOf(rounds, () => view.listCatalog('', Math.floor(random() * count), PAGE)),
    get: timingOf(rounds, (round) =>
      view.getCatalogEntry(anyTool()?.[round % 2 === 0 ? 'name' : 'namespacedName'] ?? ''),
    ),
    search: timingOf(rounds, (round) => view.search(query(round), { limit: HITS })),
    searchAll: timingOf(rounds, (round) => view.searchCatalog(query(round))),
    suggest: timingOf(rounds, () => view.suggest(misspelt(anyTool()?.name ?? ''), 5)),
    change: timingOf(Math.min(rounds, 50), () => changed(snapshot, anyTool()?.pluginId ?? '')),
    filteredView: timingOf(Math.min(rounds, 20), () => createCatalogView(snapshot, mostTools()).catalogCount('')),
  }
}

function misspelt(name: string): string {
  const middle = name.length >> 1
  return `${name.slice(0, middle - 1)}${name.charAt(middle)}${name.charAt(middle - 1)}${name.slice(middle + 1)}`
}

function changed(snapshot: CatalogSnapshot, pluginId: string): CatalogSnapshot {
  return snapshot.with({ put: snapshot.ofPlugin(pluginId).map(({ definition }) => toolOf(definition)) })
}

function mostTools(): () => boolean {
  let asked = 0
  return () => asked++ % 10 !== 0
}

const [count = '1000', rounds = '1000'] = process.argv.slice(2)
console.log(JSON.stringify(measure(Number(count), Number(rounds))))
