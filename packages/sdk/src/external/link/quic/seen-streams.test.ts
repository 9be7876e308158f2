/** Streams that were there once are not new again. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeenStreams } from './seen-streams.ts'

test('every stream is new once, in whatever order and however often it shows', () => {
  const shown = fc.array(fc.nat({ max: 40 }).map((index) => 1 + 4 * index))
  fc.assert(
    fc.property(shown, (ids) => {
      const seen = new SeenStreams(1)
      const fresh = ids.filter((id) => seen.add(id))
      expect(fresh).toEqual([...new Set(ids)])
    }),
  )
})
