import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogTool } from './catalog-tool.ts'
import { editsBetween } from './list-edits.ts'
import { sampleTool } from './testing/sample-tool.ts'
import { sortedTools } from './tool-lists.ts'

/** Two objects of each name, so that a name can stand for another tool than before. */
const pool = Array.from('abcdefghij', (name) => [sampleTool({ name }), sampleTool({ name })] as const)
const list = fc
  .array(fc.option(fc.nat(1), { nil: undefined }), { minLength: pool.length, maxLength: pool.length })
  .map((choices): CatalogTool[] =>
    pool.flatMap((tools, i) => (choices[i] === undefined ? [] : (tools[choices[i] ?? 0] ?? []))),
  )

test('the steps lead from the one list to the other, and keep all that both have', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const made: CatalogTool[] = []
      let from = 0
      let kept = 0
      for (const edit of editsBetween(sortedTools(before), sortedTools(after))) {
        made.push(...before.slice(from, from + edit.kept))
        from += edit.kept + edit.removed
        made.push(...after.slice(made.length, made.length + edit.added))
        kept += edit.kept
      }
      expect(made).toEqual(after)
      expect(made.every((tool, i) => tool === after[i])).toBe(true)
      expect(from).toBe(before.length)
      expect(kept).toBe(before.filter((tool) => after.includes(tool)).length)
    }),
  )
})

test('equal lists are one step, and none leads from nothing to nothing', () => {
  const tools = pool.map(([tool]) => tool)
  expect(editsBetween(sortedTools(tools), sortedTools(tools))).toEqual([{ kept: 10, removed: 0, added: 0 }])
  expect(editsBetween(sortedTools([]), sortedTools([]))).toEqual([])
})
