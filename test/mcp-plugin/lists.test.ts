/** How a plugin of kind `mcp` reads its server's list of tools. */
import { expect, test } from 'vitest'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import { callPlugin, changed, eventually, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, mcpPlugin, stdioPlugin, stdioTarget } from './mcp-under-test.ts'

const names = (tools: readonly { readonly name: string }[]): string[] => tools.map((tool) => tool.name)

test('all pages of a list are read', async () => {
  await using under = stdioPlugin('paged-server')
  await startPlugin(under.plugin)
  expect(under.plugin.tools).toHaveLength(78)
  expect(under.plugin.reports).toEqual([])
  expect(textOf(await callPlugin(under.plugin, 'tool-78'))).toBe('called tool-78')
})

test('a page that fails takes no known tool away, and is reported', async () => {
  await using first = stdioPlugin('paged-server')
  await startPlugin(first.plugin)
  const { tools } = first.plugin
  const store = { ...memoryToolLists(), get: () => ({ tools, listedAt: 0 }) }
  await using second = stdioPlugin('paged-server', ['--fail-at', '3'], { store })
  await startPlugin(second.plugin)
  expect(names(second.plugin.tools)).toEqual(names(tools))
  expect(second.plugin.reports).toEqual([
    'plugin "acme": page 3 of its list of tools failed: this page is lost; the tools known before are kept',
  ])
})

test('without known tools, a page that fails leaves those of the pages before', async () => {
  await using under = stdioPlugin('paged-server', ['--fail-at', '3'])
  await startPlugin(under.plugin)
  expect(under.plugin.tools).toHaveLength(50)
})

test('a server whose first page fails does not start, and its known tools stay', async () => {
  await using under = stdioPlugin('paged-server', ['--fail-at', '1'])
  await expect(startPlugin(under.plugin)).rejects.toThrow('refused to list its tools: this page is lost')
  expect(under.plugin.health().state).toBe('down')
})

test.each([
  [[], /repeats the cursor "again" on page 2/],
  [['--endless'], /goes on after 1000 pages/],
])('a list that never ends (%j) is left, with a report', async (args, report) => {
  await using under = stdioPlugin('repeated-cursor-server', args)
  await startPlugin(under.plugin)
  expect(under.plugin.tools.length).toBeGreaterThan(0)
  expect(under.plugin.reports?.[0]).toMatch(report)
})

test.each(['legacy', 'modern'])(
  'odd names are kept, odd entries mended or left out, each with a report (%s)',
  async (era) => {
    await using under = stdioPlugin('odd-names-server', ['--era', era])
    await startPlugin(under.plugin)
    const { tools, reports = [] } = under.plugin
    expect(names(tools)).toEqual([
      ...['files.read', 'files/read', 'files read', '查找文件', 'x'.repeat(120), 'twice'],
      ...['no-schema', 'text-schema', 'string-root', 'no-type', 'bad-output'],
    ])
    expect(tools.find(({ name }) => name === 'twice')?.description).toBe('the first')
    expect(tools.every(({ inputSchema }) => inputSchema?.type === 'object')).toBe(true)
    expect(tools.find(({ name }) => name === 'no-type')?.inputSchema).toHaveProperty('properties.path')
    expect(tools.find(({ name }) => name === 'bad-output')?.listed).not.toHaveProperty('outputSchema')
    expect(reports.filter((report) => report.includes('"twice" more than once'))).toHaveLength(1)
    expect(reports.filter((report) => report.includes('4 entries of its list have no name'))).toHaveLength(1)
    expect(textOf(await callPlugin(under.plugin, '查找文件'))).toBe('called "查找文件"')
  },
)

test('what a tool says beyond the usual is kept in `listed`', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  const odd = under.plugin.tools.find(({ name }) => name === 'odd')
  expect(odd?.listed).toMatchObject({ icons: [{}], _meta: { 'acme.example/x': 1 }, future: 1 })
  expect(odd).toMatchObject({ package: 'acme', action: 'odd', readOnly: false, destructive: true, openWorld: true })
  const echo = under.plugin.tools.find(({ name }) => name === 'echo')
  expect(echo).toMatchObject({ title: 'Echo', readOnly: true, destructive: false, idempotent: true, openWorld: false })
})

test.each([
  ['stdio, legacy', () => Promise.resolve(stdioPlugin('changing-server', ['--era', 'legacy']))],
  ['stdio, modern', () => Promise.resolve(stdioPlugin('changing-server', ['--era', 'modern']))],
  ['HTTP, legacy', () => httpPlugin('changing-server', ['--era', 'legacy'])],
  ['HTTP, modern', () => httpPlugin('changing-server', ['--era', 'modern'])],
  ['HTTP+SSE', () => httpPlugin('changing-server', ['--era', 'legacy', '--http-sse'])],
] as const)('changes of the list are followed, many at once by few readings (%s)', async (_, make) => {
  await using under = await make()
  const { plugin } = under
  await startPlugin(plugin)
  await eventually(async () => {
    // A stream for changes may be opened only after the start; until then nothing would be heard.
    await callPlugin(plugin, 'grow', { count: 50 })
    return plugin.tools.length > 3
  }, 'the first change')
  await changed(plugin, () => plugin.tools.length % 50 === 3)
  await callPlugin(plugin, 'shrink')
  await changed(plugin, () => plugin.tools.length === 3)
  expect(Number(textOf(await callPlugin(plugin, 'lists')))).toBeLessThan(10)
})

test('a change that is told while the first list is read is seen', async () => {
  await using under = stdioPlugin('early-change-server', ['--era', 'legacy'])
  await startPlugin(under.plugin)
  await changed(under.plugin, () => names(under.plugin.tools).includes('after'))
  expect(names(under.plugin.tools)).toEqual(['after', 'last'])
})

test('a plugin that is stopped while a long list is taken has the whole of it at the next start', async () => {
  const store = memoryToolLists()
  await using under = stdioPlugin('long-list-server', ['--era', 'legacy'], { store })
  const { plugin } = under
  const versions = (): Set<string> =>
    new Set(plugin.tools.slice(1).map(({ description }) => description?.slice(0, 9) ?? ''))
  await startPlugin(plugin)
  expect(plugin.tools).toHaveLength(10_001)
  const taking = changed(plugin, () => versions().has('version 1'))
  await callPlugin(plugin, 'change', { count: 10_000 })
  await taking
  expect(versions()).toEqual(new Set(['version 0', 'version 1']))
  await plugin.stop()
  expect(plugin.health().state).toBe('stopped')
  await startPlugin(plugin)
  expect(versions()).toEqual(new Set(['version 0']))
  expect(plugin.reports).toEqual([])
})

test('a server that changes whenever it is listed is listed at most ten times a second', async () => {
  await using under = stdioPlugin('changing-server', ['--restless'])
  await startPlugin(under.plugin)
  const listed = async (): Promise<number> => Number(textOf(await callPlugin(under.plugin, 'lists')))
  const begun = performance.now()
  const before = await listed()
  let lists = 0
  await eventually(async () => {
    lists = (await listed()) - before
    return lists >= 10
  }, 'ten more lists')
  // One may have been due at once, and timers may be a millisecond early.
  expect(lists - 1).toBeLessThanOrEqual((performance.now() - begun) / 99)
})

test('the known tools are there before the server is', async () => {
  const store = memoryToolLists()
  const target = stdioTarget('paged-server')
  await using first = mcpPlugin(target, { store })
  await startPlugin(first.plugin)
  await using second = mcpPlugin(target, { store })
  expect(second.plugin.tools).toEqual(first.plugin.tools)
  expect(second.plugin.health().state).toBe('stopped')
})

test('a server that is down keeps the tools of its last run', async () => {
  const store = memoryToolLists()
  await using under = stdioPlugin('crash-server', [], { store })
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'hello')
  await changed(under.plugin, () => under.plugin.health().state === 'down')
  expect(names(under.plugin.tools)).toEqual(['hello', 'die'])
})

test('another way to reach the server forgets the tools', async () => {
  const store = memoryToolLists()
  await using first = mcpPlugin(stdioTarget('paged-server'), { store })
  await startPlugin(first.plugin)
  await using second = mcpPlugin({ ...stdioTarget('paged-server'), env: { ACCOUNT: 'other' } }, { store })
  expect(second.plugin.tools).toEqual([])
})

test('a store that does not work costs no server', async () => {
  const broken = (): never => {
    throw new Error('the disk is full')
  }
  await using under = stdioPlugin('paged-server', [], { store: { get: broken, change: broken, delete: broken } })
  await startPlugin(under.plugin)
  expect(under.plugin.tools).toHaveLength(78)
  expect(under.lines.filter((line) => line.reason === 'the disk is full')).toHaveLength(2)
})
