import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankedMatches } from './ranked-matches.ts'

const rows = fc.array(fc.record({ tier: fc.nat(7), score: fc.nat(3), accepted: fc.boolean() }), { maxLength: 600 })

test('matches come by tier, then by score, then by position, and all accepted ones are counted', () => {
  fc.assert(
    fc.property(rows, fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY)), (matches, most) => {
      const expected = matches
        .map((match, position) => ({ ...match, position }))
        .filter(({ tier, accepted }) => tier > 0 && accepted)
        .sort((a, b) => a.tier - b.tier || b.score - a.score || a.position - b.position)
        .map(({ position }) => position)
      const tiers = Uint8Array.from(matches, ({ tier }) => tier)
      const scores = Float64Array.from(matches, ({ score }) => score)
      const found = rankedMatches(
        { tiers, scores, room: scores.slice() },
        (position) => matches[position]?.accepted === true,
        most,
      )
      expect(found).toEqual({ positions: expected.slice(0, most), total: expected.length })
    }),
  )
})
