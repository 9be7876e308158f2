import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleTool } from '../testing/sample-tool.ts'
import { ExactNames, typedName } from './exact-names.ts'

const name = fc.string({
  unit: fc.constantFrom('a', 'B', '_', '-', '.', '/', ' ', '\u3000', '\t', '語'),
  minLength: 1,
  maxLength: 6,
})

/** What `_ - . /` and spaces leave of a name when they are alike. */
const form = (text: string): string =>
  text
    .toLowerCase()
    .split(/[\s_\-./]+/)
    .filter(Boolean)
    .join(' ')

test('of many names, of which some went, just those are found that are like what was typed', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 120 }), fc.array(fc.nat(119)), name, (names, gone, typed) => {
      const tools = names.map((one, i) => sampleTool({ name: one, declaredName: `declared ${i}` }))
      const index = new ExactNames()
      for (const [slot, tool] of tools.entries()) index.add(slot, tool)
      const left = new Map(tools.entries())
      for (const slot of gone) if (left.delete(slot)) index.remove(slot)
      const found = new Set<number>()
      index.forEach(typedName(typed), tools, (slot) => found.add(slot))
      const expected = [...left.keys()].filter((slot) => form(names[slot] ?? '') === form(typed))
      expect([...found].sort((a, b) => a - b)).toEqual(expected)
    }),
  )
})
