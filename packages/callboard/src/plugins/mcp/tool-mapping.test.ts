import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MappedTools, type MappingOptions, mapTools } from './tool-mapping.ts'

function map(entries: readonly unknown[], checkHeaders = false, made: MappingOptions['made'] = []): MappedTools {
  const work = mapTools(entries, { pluginId: 'acme', checkHeaders, made })
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

test('whatever a server lists, the tools have unique names and usable schemas', () => {
  const field = fc.oneof(fc.string(), fc.jsonValue())
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record({ name: fc.oneof(fc.constantFrom('a', 'b', ''), fc.string(), fc.jsonValue()) }),
    fc.record({
      name: fc.string(),
      title: field,
      description: field,
      inputSchema: field,
      outputSchema: field,
      annotations: field,
    }),
  )
  fc.assert(
    fc.property(fc.array(entry), fc.boolean(), (entries, checkHeaders) => {
      const { tools } = map(entries, checkHeaders)
      expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length)
      for (const tool of tools) {
        expect(tool).toMatchObject({ package: 'acme', action: tool.name, inputSchema: { type: 'object' } })
        expect(tool.listed).toMatchObject({ name: tool.name, inputSchema: { type: 'object' } })
      }
    }),
  )
})

test.each([
  [undefined, { readOnly: false, destructive: true, openWorld: true }],
  [{}, { readOnly: false, destructive: true, openWorld: true }],
  [{ readOnlyHint: true }, { readOnly: true, destructive: false, openWorld: true }],
  [
    { readOnlyHint: true, destructiveHint: true },
    { readOnly: true, destructive: false },
  ],
  [
    { destructiveHint: false, openWorldHint: false, idempotentHint: true },
    { destructive: false, openWorld: false, idempotent: true },
  ],
])('the annotations %j give the hints %j', (annotations, hints) => {
  expect(map([{ name: 'a', inputSchema: { type: 'object' }, annotations }]).tools[0]).toMatchObject(hints)
})

test('the title is the tool’s own before that of its annotations', () => {
  const inputSchema = { type: 'object' }
  const { tools } = map([
    { name: 'a', title: 'A', annotations: { title: 'B' }, inputSchema },
    { name: 'b', annotations: { title: 'B' }, inputSchema },
  ])
  expect(tools.map((tool) => tool.title)).toEqual(['A', 'B'])
})

test('a tool that asks for a header in a wrong place is left out over HTTP, with a report', () => {
  const tool = { name: 'a', inputSchema: { type: 'object', 'x-mcp-header': 'A' } }
  expect(map([tool]).tools).toHaveLength(1)
  expect(map([tool], true)).toMatchObject({
    tools: [],
    reports: [expect.stringContaining('"a" is left out: x-mcp-header')],
  })
})

test('a tool in order is listed as it came', () => {
  const tool = { name: 'a', inputSchema: { type: 'object', $defs: { x: {} } }, future: [1], icons: [] }
  expect(map([tool])).toMatchObject({ tools: [{ listed: tool }], reports: [] })
})

test.each([
  [{ icons: 5 }, 'icons', {}],
  [{ icons: [{ src: 5 }] }, 'icons', {}],
  [{ annotations: { title: 5, readOnlyHint: true } }, 'annotations.title', { annotations: { readOnlyHint: true } }],
  [{ annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint', { annotations: {} }],
  [{ execution: 'x' }, 'execution', {}],
  [{ execution: { taskSupport: 'maybe' } }, 'execution.taskSupport', { execution: {} }],
  [{ inputSchema: { type: 'object', required: 'a' } }, 'inputSchema.required', {}],
  [{ inputSchema: { type: 'object', required: [5] } }, 'inputSchema.required', {}],
  [{ inputSchema: { type: 'object', properties: 'x' } }, 'inputSchema.properties', {}],
  [
    { inputSchema: { type: 'object', properties: { a: 5, b: true } } },
    'inputSchema.properties',
    { inputSchema: { type: 'object', properties: { b: true } } },
  ],
  [{ inputSchema: { type: 'object', $schema: 5 } }, 'inputSchema.$schema', {}],
  [
    { outputSchema: { type: 'object', properties: 5 } },
    'outputSchema.properties',
    { outputSchema: { type: 'object' } },
  ],
  [{ outputSchema: { type: 'object', required: [5] } }, 'outputSchema.required', { outputSchema: { type: 'object' } }],
  [{ title: null }, 'title', {}],
  [{ _meta: [] }, '_meta', {}],
])('of the tool with %j the wrong part, %s, is taken out with a report, and nothing else', (more, field, left) => {
  const { tools, reports } = map([{ name: 'a', inputSchema: { type: 'object' }, ...more }])
  expect(tools.map(({ listed }) => listed)).toEqual([{ name: 'a', inputSchema: { type: 'object' }, ...left }])
  expect(reports).toEqual([`plugin "acme": the tool "a" has a wrong ${field}, which is mended or left out`])
})

test('a tool that is nested too deep to be written is left out, with a report', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
  const { tools, reports } = map([
    { name: 'a', inputSchema: { type: 'object', properties: deep } },
    { name: 'b', inputSchema: { type: 'object' } },
  ])
  expect(tools.map(({ name }) => name)).toEqual(['b'])
  expect(reports).toEqual(['plugin "acme": the tool "a" is left out: it is nested too deep to be passed on'])
})

test('what is odd about many entries is told once, with their count and some examples', () => {
  const odd = Array.from({ length: 20_000 }, (_, index) => ({
    name: `t${index}`,
    title: 5,
    inputSchema: { type: 'object' },
  }))
  const { reports } = map([...Array.from({ length: 20_000 }, () => ({})), ...odd, odd[0], odd[1]])
  expect(reports).toEqual([
    'plugin "acme": 20000 entries of its list have no name and are left out (1, 2, 3, …)',
    'plugin "acme": 20000 tools have a wrong title, which is mended or left out ("t0", "t1", "t2", …)',
    'plugin "acme": it lists tools more than once, 2 times in all; the first of each stays ("t0", "t1")',
  ])
})

test('a definition whose entry is the same stays the same object, and only that one', () => {
  const entry = (name: string, words: string) => ({ name, description: words, inputSchema: { type: 'object' } })
  const { tools: made } = map([entry('a', 'as it was'), entry('b', 'as it was'), { name: 'mended', title: 7 }])
  const { tools, reports } = map(
    [{ name: 'mended', title: 7 }, entry('b', 'another'), entry('a', 'as it was')],
    false,
    made,
  )
  expect(tools.map(({ name }) => made.some((tool) => tool === tools.find((own) => own.name === name)))).toEqual([
    false,
    false,
    true,
  ])
  expect(tools[1]).toMatchObject({ description: 'another' })
  expect(reports).toEqual([expect.stringContaining('"mended" has a wrong')])
})

test('what is the same is left out all the same where headers are looked at and it was made without that', () => {
  const property = { type: 'object', 'x-mcp-header': 'a b' }
  const entry = { name: 'a', inputSchema: { type: 'object', properties: { property } } }
  const { tools: made } = map([entry])
  expect(made).toHaveLength(1)
  expect(map([entry], true, made)).toMatchObject({ tools: [], reports: [expect.stringContaining('"a" is left out')] })
})
