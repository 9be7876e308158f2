import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BestMatches } from './best-matches.ts'

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
