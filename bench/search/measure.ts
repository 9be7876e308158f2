/** Measures one engine with one number of tools; a process of its own, with --expose-gc, so that memory figures are clean. */
import { ENGINES } from './engines.ts'
import type { LoadFigures } from './load-figures.ts'
import { recombinedTools } from './recombined-tools.ts'
import { readSets } from './tool-set.ts'

const LIMIT = 20
const QUERIES = 500

/** Bytes in use after a full collection, typed arrays included. */
function bytesInUse(): number {
  if (!globalThis.gc) throw new Error('run this with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Queries of all sets in turn, so that a large set has no more of them than a small one. */
function queriesOf(sets: ReturnType<typeof readSets>['sets']): string[] {
  const asked = sets.filter(({ queries }) => queries.length > 0)
  return Array.from({ length: QUERIES }, (_, i) => {
    const queries = asked[i % asked.length]?.queries ?? []
    return queries[Math.floor(i / asked.length) % queries.length]?.query ?? ''
  })
}

async function measure(engineName: string, count: number, folder: string): Promise<LoadFigures> {
  const engine = ENGINES.find(({ name }) => name === engineName)
  if (!engine) throw new Error(`there is no engine "${engineName}"`)
  const { sets } = readSets(folder)
  const queries = queriesOf(sets)
  const real = sets.filter(({ isOfServers }) => isOfServers).flatMap(({ tools }) => tools)
  const build = engine.take(recombinedTools(real, count))
  const before = bytesInUse()
  const start = performance.now()
  const searcher = await build()
  const buildMs = performance.now() - start
  const bytes = bytesInUse() - before + (searcher.bytesElsewhere ?? 0)
  for (const query of queries.slice(0, count > 10_000 ? 20 : QUERIES)) await searcher.search(query, LIMIT)
  const times: number[] = []
  const deadline = performance.now() + 60_000
  for (const query of queries) {
    const asked = performance.now()
    if (asked > deadline) break
    await searcher.search(query, LIMIT)
    times.push(performance.now() - asked)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { engine: engineName, tools: count, buildMs, bytes, p50: at(0.5), p95: at(0.95) }
}

const [engine = '', count = '', folder = ''] = process.argv.slice(2)
console.log(JSON.stringify(await measure(engine, Number(count), folder)))
