import type { Result } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { createCatalogView } from '../../catalog/catalog-view.ts'
import { CatalogSnapshot } from '../../catalog/snapshot.ts'
import { sampleTool } from '../../catalog/testing/sample-tool.ts'
import { BUILTIN_ID } from '../../plugins/builtin/builtin-tool.ts'
import { EncodedPages } from './encoded-pages.ts'
import { type ListedTools, listedTools } from './listed-tools.ts'

const search = sampleTool({ name: 'search_mcp_tools', pluginId: BUILTIN_ID, description: 'Finds tools.' })
const listOf = (tools: readonly CatalogTool[], only?: string): ListedTools =>
  listedTools(createCatalogView(CatalogSnapshot.empty.with({ put: [search, ...tools] })), {
    expose: 'all',
    ...(only !== undefined && { only }),
  })
const textOf = (page: Result): string => JSON.stringify(page)

async function pagesOf(pages: EncodedPages, list: ListedTools): Promise<Result[]> {
  const found: Result[] = []
  let cursor: string | undefined
  do {
    const page = await pages.page(list, 'modern', cursor)
    found.push(page)
    cursor = JSON.parse(textOf(page)).nextCursor
  } while (cursor !== undefined)
  return found
}

test('of another list only the pages that show something else are made anew', async () => {
  const many = Array.from({ length: 600 }, (_, n) => sampleTool({ name: `a_${n}`, pluginId: 'a' }))
  const pages = new EncodedPages()
  const before = await pagesOf(pages, listOf([...many, sampleTool({ name: 'b', pluginId: 'a' })]))
  const after = await pagesOf(pages, listOf([...many, sampleTool({ name: 'b', pluginId: 'a', description: 'new' })]))
  expect(after.map((page, n) => page === before[n])).toEqual([true, true, false])
  expect(textOf(after[2] ?? {})).toContain('"new"')
})

test('whatever was listed before, a page is what it is alone', async () => {
  const one = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    pluginId: fc.constantFrom('p', 'q'),
    description: fc.constantFrom('', 'said'),
  })
  const tool = one.map(({ name, pluginId, description }) =>
    sampleTool({ name: `${pluginId}_${name}`, declaredName: name, pluginId, description }),
  )
  const pool = fc.uniqueArray(tool, { selector: ({ entry }) => entry.name, minLength: 1 })
  const lists = pool.chain((tools) => fc.array(fc.tuple(fc.subarray(tools), fc.constantFrom(undefined, 'p', 'q'))))
  await fc.assert(
    fc.asyncProperty(lists, async (seen) => {
      const pages = new EncodedPages()
      for (const [tools, only] of seen) {
        const list = listOf(tools, only)
        for (const era of ['modern', 'legacy'] as const)
          expect(textOf(await pages.page(list, era, undefined))).toBe(
            textOf(await new EncodedPages().page(list, era, undefined)),
          )
      }
    }),
    { numRuns: 30 },
  )
})
