import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LatestSnapshot } from './latest-snapshot.ts'
import { type CatalogChange, CatalogSnapshot } from './snapshot.ts'
import { sampleTool } from './testing/sample-tool.ts'

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 })
const steps = fc.array(
  fc.record({
    removed: names,
    put: fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3)), { selector: ([name]) => name }),
    looks: fc.boolean(),
  }),
)

test('is what the changes make one by one, however seldom somebody looks', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const latest = new LatestSnapshot()
      let expected = CatalogSnapshot.empty
      for (const { removed, put, looks } of drawn) {
        const change: CatalogChange = {
          removed: removed.map((name) => `plugin:acme:${name}`),
          put: put.map(([name, version]) => sampleTool({ name: `${name}${version}`, declaredName: name })),
        }
        expected = expected.with(change)
        latest.change(change)
        if (looks) expect([...latest.now.tools]).toEqual([...expected.tools])
      }
      expect([...latest.now.tools]).toEqual([...expected.tools])
      for (const { entry } of expected.tools) expect(latest.now.find(entry.namespacedName)?.entry).toEqual(entry)
      expect(latest.now).toBe(latest.now)
    }),
  )
})

test('has the lost names that a change brought last', () => {
  const latest = new LatestSnapshot()
  const lostNames = new Map([['echo', ['plugin:a:echo']]])
  latest.change({ lostNames: new Map([['x', []]]) })
  latest.change({ lostNames })
  latest.change({ put: [sampleTool({ name: 'a' })] })
  expect(latest.now.lostNames).toBe(lostNames)
})
