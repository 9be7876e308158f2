import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PostingLists } from './posting-lists.ts'

test('lists grow and are swept as plain arrays would be', () => {
  const step = fc.record({ list: fc.nat(6), count: fc.nat(3000), swept: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lists = new PostingLists()
      const plain = new Map<number, number[]>()
      let next = 0
      for (const { list, count, swept } of steps) {
        const expected = plain.get(list) ?? []
        for (let i = 0; i < count; i++) {
          lists.add(list, next)
          expected.push(next++)
        }
        plain.set(list, expected)
        if (swept > 2) continue
        lists.sweep((posting) => posting % 3 === swept)
        for (const [one, postings] of plain)
          plain.set(
            one,
            postings.filter((posting) => posting % 3 !== swept),
          )
      }
      for (const [list, expected] of plain) expect([...lists.of(list)]).toEqual(expected)
      expect([...lists.of(99)]).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('a list may become longer than a page', () => {
  const lists = new PostingLists()
  for (let i = 0; i < 100_000; i++) lists.add(i % 2 === 0 ? 1 : i % 1000, i)
  expect(lists.of(1)).toHaveLength(50_100)
  expect([...lists.of(999)]).toEqual(Array.from({ length: 100 }, (_, i) => 999 + i * 1000))
})
