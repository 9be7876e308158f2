import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapTools } from './tool-mapping.ts'

const map = (entries: readonly unknown[], checkHeaders = false) => mapTools(entries, { pluginId: 'acme', checkHeaders })

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
