import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogTool } from './catalog-tool.ts'
import { createCatalogView } from './catalog-view.ts'
import { selectAccepted } from './selection.ts'
import { CatalogSnapshot } from './snapshot.ts'
import { sampleTool } from './testing/sample-tool.ts'

interface Change {
  readonly removed: readonly (readonly [pluginId: string, number: number])[]
  readonly put: readonly (readonly [pluginId: string, number: number, version: number])[]
}

const change: fc.Arbitrary<Change> = fc.record({
  removed: fc.array(fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.nat(12)), { maxLength: 4 }),
  put: fc.uniqueArray(fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.nat(12), fc.nat(5)), {
    selector: ([id, number]) => `${id}${number}`,
    maxLength: 6,
  }),
})

/** The snapshots that these changes lead to; the public name of a tool changes with its version. */
function snapshotsOf(changes: readonly Change[]): CatalogSnapshot[] {
  const all = [CatalogSnapshot.empty]
  for (const { removed, put } of changes) {
    const tools = put.map(([pluginId, number, version]) =>
      sampleTool({
        name: `${version}${number}${pluginId}`,
        pluginId,
        declaredName: `t${number}`,
        description: `v${version}`,
      }),
    )
    const last = all.at(-1) ?? CatalogSnapshot.empty
    all.push(last.with({ removed: removed.map(([id, number]) => `plugin:${id}:t${number}`), put: tools }))
  }
  return all
}

const evenVersion = ({ entry }: CatalogTool): boolean => Number(entry.description.slice(1)) % 2 === 0
const PICKS: readonly ((tool: CatalogTool) => boolean)[] = [
  evenVersion,
  ({ entry }) => entry.pluginId !== 'q',
  () => true,
  () => false,
]

describe('what is selected again after a change', () => {
  test('is what is selected from nothing, in every list and at every position, whichever snapshot came before', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), fc.array(fc.nat(), { maxLength: 6 }), (changes, order) => {
        const snapshots = snapshotsOf(changes)
        for (const pick of PICKS) {
          const again = (tool: CatalogTool): boolean => pick(tool)
          for (const snapshot of [
            ...snapshots,
            ...order.map((i) => snapshots[i % snapshots.length] ?? CatalogSnapshot.empty),
          ]) {
            const derived = selectAccepted(snapshot, again)
            const all = [...snapshot.tools]
            const tools = all.filter(pick)
            expect([...derived.lists.tools]).toEqual(tools)
            expect(derived.lists.pluginIds).toEqual([...new Set(tools.map(({ entry }) => entry.pluginId))].sort())
            for (const id of ['p', 'q', 'r'])
              expect([...derived.lists.ofPlugin(id)]).toEqual(tools.filter(({ entry }) => entry.pluginId === id))
            expect(all.map((_, position) => derived.has(position))).toEqual(all.map(pick))
          }
        }
      }),
    )
  })

  test('asks about the tools that are new, and shares the lists of plugins that are as they were', () => {
    const tools = Array.from({ length: 30 }, (_, i) => sampleTool({ name: `t${i}`, pluginId: i < 20 ? 'a' : 'b' }))
    const before = CatalogSnapshot.empty.with({ put: tools })
    const asked: string[] = []
    const accept = ({ entry }: CatalogTool): boolean => asked.push(entry.name) > 0 && entry.name !== 't1'
    const first = selectAccepted(before, accept)
    asked.length = 0
    const after = before.with({ removed: ['plugin:b:t20'], put: [sampleTool({ name: 'new', pluginId: 'b' })] })
    const second = selectAccepted(after, accept)
    expect(asked).toEqual(['new'])
    expect(second.lists.tools).toHaveLength(29)
    expect(second.lists.ofPlugin('a')).toBe(first.lists.ofPlugin('a'))
  })

  test('is the list of the snapshot itself where nothing is left out', () => {
    const before = CatalogSnapshot.empty.with({ put: ['a', 'b', 'c'].map((name) => sampleTool({ name })) })
    const after = before.with({ put: [sampleTool({ name: 'd' })] })
    const accept = (): boolean => true
    expect(createCatalogView(before, accept).tools).toBe(before.tools)
    expect(createCatalogView(after, accept).tools).toBe(after.tools)
  })
})
