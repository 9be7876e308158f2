import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BestMatches, type Tier } from './best-matches.ts'

const rows = fc.array(fc.record({ tier: fc.integer({ min: 1, max: 7 }), score: fc.nat(3) }), { maxLength: 1500 })

test('matches come by tier, then by score, then by position, whatever the order in which they were found', () => {
  fc.assert(
    fc.property(
      rows,
      fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(Number.POSITIVE_INFINITY)),
      (found, most) => {
        const expected = found
          .map((match, position) => ({ ...match, position }))
          .sort((a, b) => a.tier - b.tier || b.score - a.score || a.position - b.position)
          .map(({ tier, position }) => ({ tier, position }))
        const best = new BestMatches(most, 3)
        for (const [position, { tier, score }] of [...found.entries()].reverse()) best.add(position, tier, score)
        expect(best.sorted()).toEqual(expected.slice(0, most))
      },
    ),
  )
})

test('what has less than the least score that its tier needs need not be added', () => {
  const some = fc.array(fc.record({ tier: fc.constantFrom<Tier>(5, 6, 7), score: fc.integer({ min: 1, max: 900 }) }), {
    maxLength: 1500,
  })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 20 }), (found, most) => {
      const [all, chosen] = [new BestMatches(most, 900), new BestMatches(most, 900)]
      for (const [position, { tier, score }] of found.entries()) {
        all.add(position, tier, score)
        if (score >= chosen.leastScore(tier)) chosen.add(position, tier, score)
      }
      expect(chosen.sorted()).toEqual(all.sorted())
    }),
  )
  const best = new BestMatches(2, 900)
  for (let position = 0; position < 9; position++) best.add(position, 6, 300 + position)
  expect([best.leastScore(7), best.leastScore(5)]).toEqual([Number.POSITIVE_INFINITY, Number.MIN_VALUE])
  expect(best.leastScore(6)).toBeGreaterThan(290)
})
