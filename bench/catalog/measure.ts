/** Measures the catalogue with one number of tools; a process of its own, with --expose-gc, so that memory figures are clean. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../../packages/callboard/src/catalog/catalog-tool.ts'
import { type CatalogView, createCatalogView } from '../../packages/callboard/src/catalog/catalog-view.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Router } from '../../packages/callboard/src/plugins/router.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { EncodedPages } from '../../packages/callboard/src/surfaces/mcp/encoded-pages.ts'
import { listedTools } from '../../packages/callboard/src/surfaces/mcp/listed-tools.ts'
import { generatedTools, randomNumbers } from '../generated-tools.ts'
import type { CatalogFigures, ChangeFigures, Timing } from './figures.ts'
import { GeneratedPlugin } from './generated-plugin.ts'
import { queries } from './queries.ts'

const PAGE = 50
const HITS = 20
const CHANGING_TOOLS = 200

/** Milliseconds that `work` takes. */
async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The timing of `rounds` runs, after a tenth as many that warm up. `prepare` comes before each and does not count. */
async function timingOf(
  rounds: number,
  work: (round: number) => unknown,
  prepare: (round: number) => unknown = () => undefined,
): Promise<Timing> {
  const times: number[] = []
  for (let i = -Math.ceil(rounds / 10); i < rounds; i++) {
    await prepare(Math.abs(i))
    const time = await timeOf(() => work(Math.abs(i)))
    if (i >= 0) times.push(time)
  }
  times.sort((a, b) => a - b)
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

/** The longest time in milliseconds for which nothing else had its turn while `work` was done. */
async function longestStallOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const look = (): void => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    next = setImmediate(look)
  }
  let next = setImmediate(look)
  await work()
  clearImmediate(next)
  return longest
}

async function measure(count: number, rounds: number): Promise<CatalogFigures> {
  const empty = bytesInUse()
  const plugins = Map.groupBy(generatedTools(count), (tool) => tool.package)
  const withDefinitions = bytesInUse()
  const router = new Router({ maxNameLength: 48, log: createLog(new Secrets(), 'silent') })
  const snapshotMs = await timeOf(() => {
    for (const [id, tools] of plugins) router.registerExternal(new GeneratedPlugin(id, tools))
    return router.snapshot
  })
  const view = createCatalogView(router.snapshot)
  const withSnapshot = bytesInUse()
  let indexMs = 0
  const stallMs = await longestStallOf(async () => {
    indexMs = await timeOf(async () => {
      await view.prepare('search')
      await view.prepare('suggest')
    })
  })
  view.search('first', { limit: 1 })
  view.suggest('first', 1)
  const withIndex = bytesInUse()
  return {
    tools: count,
    snapshotMs,
    indexMs,
    stallMs,
    definitionBytes: withDefinitions - empty,
    snapshotBytes: withSnapshot - withDefinitions,
    indexBytes: withIndex - withSnapshot,
    ...(await answers(view, rounds)),
    changes: await changes(router, Math.min(rounds, 20)),
  }
}

async function answers(view: CatalogView, rounds: number) {
  const random = randomNumbers(1)
  const count = view.tools.length
  const anyTool = (): CatalogTool['entry'] | undefined => view.tools.at(Math.floor(random() * count))?.entry
  const words = queries(
    Array.from(view.tools, ({ entry }) => entry),
    random,
  )
  const query = (round: number): string => words[round % words.length] ?? ''
  return {
    list: await timingOf(rounds, () => view.listCatalog('', Math.floor(random() * count), PAGE)),
    get: await timingOf(rounds, (round) =>
      view.getCatalogEntry(anyTool()?.[round % 2 === 0 ? 'name' : 'namespacedName'] ?? ''),
    ),
    search: await timingOf(rounds, (round) => view.search(query(round), { limit: HITS })),
    searchAll: await timingOf(rounds, (round) => view.searchCatalog(query(round))),
    suggest: await timingOf(rounds, () => view.suggest(misspelt(anyTool()?.name ?? ''), 5)),
  }
}

function misspelt(name: string): string {
  const middle = name.length >> 1
  return `${name.slice(0, middle - 1)}${name.charAt(middle)}${name.charAt(middle - 1)}${name.slice(middle + 1)}`
}

/** One plugin of 200 tools becomes another, again and again, in front of all the others. */
async function changes(router: Router, rounds: number): Promise<ChangeFigures> {
  const plugin = new GeneratedPlugin('changing', [])
  router.registerExternal(plugin)
  const versions = [0, 1].map((version) => manyTools(`version ${version}`))
  const change = (round: number): void => plugin.list(versions[round % 2] ?? [])
  const nineInTen = (tool: CatalogTool): boolean => tool.entry.name.length % 10 !== 0
  const filtered = (): CatalogView => createCatalogView(router.snapshot, nineInTen)
  const pages = new EncodedPages()
  const search = () => router.searchCatalog('create invoice')
  const firstPage = () =>
    pages.page(listedTools(createCatalogView(router.snapshot), { expose: 'all' }), 'legacy', undefined)
  change(1)
  const listed = listedTools(createCatalogView(router.snapshot), { expose: 'all' })
  await pages.page(listed, 'legacy', undefined)
  return {
    snapshot: await timingOf(rounds, (round) => {
      change(round)
      return router.snapshot
    }),
    search: await timingOf(rounds, search, change),
    searchAgain: await timingOf(rounds, search),
    filteredView: await timingOf(rounds, () => filtered().catalogCount(''), seenBefore(change, filtered)),
    filteredAnew: await timingOf(rounds, () =>
      createCatalogView(router.snapshot, (tool) => nineInTen(tool)).catalogCount(''),
    ),
    firstPage: await timingOf(rounds, firstPage, change),
    samePage: await timingOf(rounds, () => pages.page(listed, 'legacy', undefined)),
  }
}

function seenBefore(change: (round: number) => void, view: () => CatalogView): (round: number) => void {
  return (round) => {
    view().catalogCount('')
    change(round)
  }
}

function manyTools(version: string): ToolDefinition[] {
  return generatedTools(CHANGING_TOOLS).map((tool, i) => ({
    ...tool,
    package: 'changing',
    name: `${tool.name}_${i}`,
    description: `${tool.description} This is ${version}.`,
  }))
}

const [count = '1000', rounds = '1000'] = process.argv.slice(2)
console.log(JSON.stringify(await measure(Number(count), Number(rounds))))
