import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleTool } from '../testing/sample-tool.ts'
import { sortedTools } from '../tool-lists.ts'
import { LiveIndex, NOWHERE } from './live-index.ts'
import type { SearchableTool } from './searchable-tool.ts'

const pool = Array.from({ length: 100 }, (_, i) => {
  const name = `tool_${String(i).padStart(3, '0')}`
  return [sampleTool({ name, description: `oldone${i}` }), sampleTool({ name, description: `newone${i}` })] as const
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

test('after any moves each tool has one slot that knows its position, and there are few empty slots', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      const index = new LiveIndex()
      let most = 0
      for (const tools of listsOf(changes)) {
        index.moveTo(sortedTools(tools))
        const slots = tools.map((_, position) => index.slotAt(position))
        expect(slots.map((slot) => index.tools[slot])).toEqual(tools)
        expect(slots.map((slot) => index.positions[slot])).toEqual(tools.map((_, position) => position))
        expect(index.positions.filter((position) => position !== NOWHERE)).toHaveLength(tools.length)
        most = Math.max(most, tools.length)
        expect(index.tools.length).toBeLessThanOrEqual(most + 256 + 100)
      }
    }),
  )
})

test('a tool that changes has no other read again', () => {
  const index = new LiveIndex()
  let read = 0
  const add = index.texts.add.bind(index.texts)
  index.texts.add = (slot, tool) => {
    read++
    add(slot, tool)
  }
  const [first] = pool
  for (let round = 0; round < 1000; round++) {
    index.moveTo(sortedTools(pool.map(([old], i) => (i === 0 && round % 2 === 1 && first ? first[1] : old))))
    index.readFor('search')
  }
  expect(read).toBe(100 + 999)
})

test('words of tools that are gone are forgotten', () => {
  const index = new LiveIndex()
  const { vocabulary } = index.texts.words
  const readAll = (tools: readonly SearchableTool[]): void => {
    index.moveTo(sortedTools(tools))
    index.readFor('search')
  }
  const holders = (word: string): number => vocabulary.holders(vocabulary.word(word) ?? -1)
  readAll(pool.map(([old]) => old))
  expect(holders('oldone7')).toBe(1)
  readAll(pool.map(([old, other], i) => (i % 2 === 1 ? other : old)))
  expect([holders('oldone7'), holders('newone7')]).toEqual([0, 1])
  for (let round = 0; round < 20; round++) readAll(pool.map((tools) => tools[round % 2] ?? tools[0]))
  const size = vocabulary.words
  for (let round = 0; round < 40; round++) {
    readAll(pool.map((_, i) => sampleTool({ name: `tool_${i}`, description: `round${round}word${i}` })).sort(byName))
  }
  expect(vocabulary.words).toBeLessThan(size * 5)
  for (let round = 0; round < 4; round++) {
    readAll(pool.map(([old]) => old))
    readAll([])
  }
  expect(vocabulary.word('newone7')).toBeUndefined()
  expect(index.texts.words.postings.of(vocabulary.stem('tool') ?? 0).length).toBeLessThanOrEqual(256 + 100)
})

function byName(a: SearchableTool, b: SearchableTool): number {
  return a.entry.name < b.entry.name ? -1 : 1
}
