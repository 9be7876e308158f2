import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Matches, rankedMatches, type Tier } from './ranked-matches.ts'

const tier = fc.constantFrom<Tier[]>(1, 2, 3, 4, 5, 6, 7)
const rows = fc.array(fc.record({ tier, score: fc.nat(3) }), { maxLength: 1500 })
/** Kept from run to run, as it is kept from search to search. */
const matches = new Matches()

test('matches come by tier, then by score, then by position, whatever the order in which they were found', () => {
  fc.assert(
    fc.property(rows, fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY)), (found, most) => {
      const expected = found
        .map((match, position) => ({ ...match, position }))
        .sort((a, b) => a.tier - b.tier || b.score - a.score || a.position - b.position)
        .map(({ position }) => position)
      matches.clear()
      for (const [position, { tier, score }] of [...found.entries()].reverse()) matches.add(position, tier, score)
      expect(rankedMatches(matches, most)).toEqual({ positions: expected.slice(0, most), total: expected.length })
    }),
  )
})
