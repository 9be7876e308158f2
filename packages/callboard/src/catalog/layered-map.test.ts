import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LayeredMap } from './layered-map.ts'

const changes = fc.array(
  fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.option(fc.nat(), { nil: undefined }))),
)

test('after any changes each of the maps on the way has what a plain map has', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const plain = new Map<string, number | undefined>()
      const seen: { map: LayeredMap<number>; expected: Map<string, number | undefined> }[] = []
      let map = LayeredMap.empty<number>()
      for (const step of steps) {
        for (const [key, value] of step) plain.set(key, value)
        map = map.with(new Map(step))
        seen.push({ map, expected: new Map(plain) })
      }
      for (const { map, expected } of seen) {
        for (const key of 'abcdef') expect(map.get(key)).toBe(expected.get(key))
      }
    }),
  )
})

test('a change does not follow the map that it was given as', () => {
  const change = new Map([['a', 1]])
  const map = LayeredMap.empty<number>().with(change)
  change.set('a', 2)
  expect(map.get('a')).toBe(1)
})
