import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editsBetween } from './list-edits.ts'
import { SortedList } from './sorted-list.ts'

interface Item {
  readonly key: string
}

const keyOf = ({ key }: Item): string => key
const listOf = (items: readonly Item[]): SortedList<Item> => SortedList.of(items, keyOf)

/** Enough for several chunks, few enough of them that a change touches most. */
const KEYS = Array.from({ length: 4000 }, (_, i) => String(i).padStart(4, '0'))
/** Runs of neighbouring keys, or of every few, whose items go or become others. */
const run = fc.record({
  from: fc.nat(KEYS.length - 1),
  count: fc.oneof(fc.nat(5), fc.nat(KEYS.length)),
  every: fc.constantFrom(1, 1, 1, 2, 7, 100),
  isPut: fc.boolean(),
})
const steps = fc.array(fc.array(run, { maxLength: 3 }), { maxLength: 8 })

function changesOf(
  runs: readonly (typeof run extends fc.Arbitrary<infer R> ? R : never)[],
): Map<string, Item | undefined> {
  const changes = new Map<string, Item | undefined>()
  for (const { from, count, every, isPut } of runs)
    for (const key of KEYS.slice(from, from + count).filter((_, i) => i % every === 0))
      changes.set(key, isPut ? { key } : undefined)
  return changes
}

/** The list after each of the changes, and the same as a plain sorted array. */
function followed(changes: readonly Map<string, Item | undefined>[]) {
  const plain = new Map<string, Item>()
  let list = listOf([])
  return changes.map((change) => {
    for (const [key, item] of change) {
      if (item) plain.set(key, item)
      else plain.delete(key)
    }
    list = list.with(change)
    return { list, items: [...plain.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) }
  })
}

/** `toEqual` takes two objects that look the same for one, and is slow for thousands. */
const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, i) => one === others[i])

test('after any changes each of the lists on the way is what a plain sorted array is', () => {
  fc.assert(
    fc.property(steps, fc.nat(KEYS.length), fc.nat(KEYS.length), fc.constantFrom(...KEYS), (drawn, a, b, key) => {
      for (const { list, items } of followed(drawn.map(changesOf))) {
        expect(list).toHaveLength(items.length)
        expect(isSame([...list], items)).toBe(true)
        expect(
          isSame(
            Array.from(items, (_, position) => list.at(position)),
            items,
          ),
        ).toBe(true)
        expect([list.at(items.length), list.at(-1)]).toEqual([undefined, undefined])
        expect(isSame(list.slice(a, b), items.slice(a, b))).toBe(true)
        expect(list.get(key)).toBe(items.find((item) => item.key === key))
        expect(list.placeOf(key)).toBe(items.filter((item) => item.key < key).length)
      }
    }),
    { numRuns: 60 },
  )
})

test('the steps from one list to another lead there, and keep every item that both have', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), (drawn, a, b) => {
      const all = [{ list: listOf([]), items: [] }, ...followed(drawn.map(changesOf))]
      const [before, after] = [all[a % all.length] ?? all[0], all[b % all.length] ?? all[0]]
      if (!before || !after) return
      const made: Item[] = []
      let from = 0
      let kept = 0
      for (const edit of editsBetween(before.list, after.list)) {
        made.push(...before.items.slice(from, from + edit.kept))
        from += edit.kept + edit.removed
        made.push(...after.items.slice(made.length, made.length + edit.added))
        kept += edit.kept
      }
      const there = new Set(after.items)
      expect([from, kept]).toEqual([before.items.length, before.items.filter((item) => there.has(item)).length])
      expect(isSame(made, after.items)).toBe(true)
    }),
  )
})

test('a change copies the chunks that it touches, and what grows small again has few of them', () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ key: String(i).padStart(6, '0') }))
  const list = listOf(items)
  const next = list.with(new Map([['050000', { key: '050000' }]]))
  const own = new Set(list.chunks)
  expect(next.chunks.filter((chunk) => !own.has(chunk))).toHaveLength(1)
  expect(list.with(new Map())).toBe(list)
  const rest = items.filter((_, i) => i % 1000 !== 0)
  const few = rest.reduce<SortedList<Item>>(
    (left, _, i) =>
      i % 5000 === 0 ? left.with(new Map(rest.slice(i, i + 5000).map(({ key }) => [key, undefined]))) : left,
    list,
  )
  expect(few).toHaveLength(100)
  expect(few.chunks).toHaveLength(1)
})
