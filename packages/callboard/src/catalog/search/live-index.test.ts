import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleTool } from '../testing/sample-tool.ts'
import { LiveIndex } from './live-index.ts'
import type { SearchableTool } from './searchable-tool.ts'

const pool = Array.from({ length: 100 }, (_, i) => {
  const name = `tool_${String(i).padStart(3, '0')}`
  return [sampleTool({ name, description: `old${i}` }), sampleTool({ name, description: `new${i}` })] as const
})
/** Runs of neighbours that go, come or become others. */
const steps = fc.array(fc.tuple(fc.nat(99), fc.nat(30), fc.constantFrom('none', 'old', 'new')), { maxLength: 40 })

/** The lists that these steps lead to, one after the other. */
function listsOf(changes: readonly (readonly [number, number, string])[]): SearchableTool[][] {
  const there = new Map<number, SearchableTool>()
  return changes.map(([from, count, what]) => {
    for (let i = from; i < Math.min(pool.length, from + count); i++) {
      const tool = what === 'none' ? undefined : pool[i]?.[what === 'old' ? 0 : 1]
      if (tool) there.set(i, tool)
      else there.delete(i)
    }
    return pool.flatMap((_, i) => there.get(i) ?? [])
  })
}

test('after any moves each tool has one slot that knows its position, and there are few segments and empty slots', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      const index = new LiveIndex(8)
      for (const tools of listsOf(changes)) {
        index.moveTo(tools)
        const found = index.segments.flatMap(({ tools: slots, positions }) =>
          slots.flatMap((tool, slot) => (tool ? [[positions[slot], tool] as const] : [])),
        )
        found.sort(([a = 0], [b = 0]) => a - b)
        expect(found).toEqual(tools.map((tool, position) => [position, tool]))
        expect(index.segments.length).toBeLessThanOrEqual(tools.length / 4 + 4)
        const slots = index.segments.reduce((sum, { size }) => sum + size, 0)
        expect(slots).toBeLessThanOrEqual(tools.length * 2)
      }
    }),
  )
})

test('a tool that changes has its neighbours read again now and then, not every time', () => {
  const index = new LiveIndex(64)
  const [first] = pool
  let read = 0
  for (let round = 0; round < 200; round++) {
    index.moveTo(pool.map(([old], i) => (i === 0 && round % 2 === 1 && first ? first[1] : old)))
    for (const segment of index.segments) {
      if (!segment.isReadFor('search')) read += segment.live
      segment.readFor('search')
    }
  }
  expect(read).toBeLessThan(100 + 200 * Math.log2(64))
})

test('words of tools that are gone are forgotten', () => {
  const index = new LiveIndex(8)
  const { vocabulary } = index.totals
  const readAll = (tools: readonly SearchableTool[]): void => {
    index.moveTo(tools)
    for (const segment of index.segments) segment.readFor('search')
  }
  readAll(pool.map(([old]) => old))
  expect(vocabulary.toolsWith(vocabulary.word('old7') ?? -1)).toBe(1)
  readAll(pool.map(([old, other], i) => (i % 2 === 0 ? other : old)))
  const known = vocabulary.word('old7')
  expect(known === undefined ? 0 : vocabulary.toolsWith(known)).toBe(1)
  const size = vocabulary.size
  for (let round = 0; round < 20; round++) readAll(pool.map((tools) => tools[round % 2] ?? tools[0]))
  expect(vocabulary.size).toBeLessThan(size * 2)
  readAll([])
  for (const word of ['old7', 'new7', 'tool']) expect(vocabulary.word(word)).toBeUndefined()
  expect(vocabulary.stem('tool')).toBeUndefined()
  expect(index.segments).toEqual([])
})
