import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogTool } from './catalog-tool.ts'
import { CatalogSnapshot } from './snapshot.ts'
import { sampleTool } from './testing/sample-tool.ts'

const named = (...names: string[]): CatalogTool[] => names.map((name) => sampleTool({ name }))
const names = (tools: Iterable<CatalogTool>): string[] => Array.from(tools, ({ entry }) => entry.name)

test('tools are sorted by code unit, capitals before small letters', () => {
  const snapshot = CatalogSnapshot.empty.with({ put: named('b', 'a', 'B', 'a-1', 'a_1', 'é') })
  expect(names(snapshot.tools)).toEqual(['B', 'a', 'a-1', 'a_1', 'b', 'é'])
})

test('a tool is found by its public and by its namespaced name, and by nothing else', () => {
  const tool = sampleTool({ name: 'acme_echo', declaredName: 'echo' })
  const snapshot = CatalogSnapshot.empty.with({ put: [tool] })
  expect(snapshot.find('acme_echo')).toBe(tool)
  expect(snapshot.find('plugin:acme:echo')).toBe(tool)
  expect(snapshot.find('echo')).toBeUndefined()
  expect(snapshot.find('Acme_echo')).toBeUndefined()
  expect(snapshot.find('__proto__')).toBeUndefined()
  expect(snapshot.find('')).toBeUndefined()
})

test('a plugin is there for as long as it has a tool', () => {
  const first = CatalogSnapshot.empty.with({
    put: [sampleTool({ name: 'x', pluginId: 'b' }), sampleTool({ name: 'y' })],
  })
  const second = first.with({ removed: ['plugin:b:x'] })
  expect(first.pluginIds).toEqual(['acme', 'b'])
  expect(second.pluginIds).toEqual(['acme'])
  expect(second.ofPlugin('b')).toHaveLength(0)
  expect(second.find('x')).toBeUndefined()
})

test('a snapshot stays as it is when the next one is derived', () => {
  const first = CatalogSnapshot.empty.with({ put: named('a', 'b') })
  const second = first.with({ removed: ['plugin:acme:a'], put: named('c') })
  expect(names(first.tools)).toEqual(['a', 'b'])
  expect(first.find('a')).toBeDefined()
  expect(first.find('c')).toBeUndefined()
  expect(names(second.tools)).toEqual(['b', 'c'])
})

test('a tool that is put again replaces the old one, under its new public name', () => {
  const old = sampleTool({ name: 'echo', description: 'old' })
  const renamed = sampleTool({ name: 'echo-12345678', declaredName: 'echo', description: 'new' })
  const snapshot = CatalogSnapshot.empty.with({ put: [old] }).with({ put: [renamed] })
  expect([...snapshot.tools]).toEqual([renamed])
  expect(snapshot.find('echo')).toBeUndefined()
  expect(snapshot.find('plugin:acme:echo')).toBe(renamed)
})

test('a public name can pass from one tool to another in one change, across plugins too', () => {
  const before = sampleTool({ name: 'echo' })
  const moved = sampleTool({ name: 'echo-1', declaredName: 'echo' })
  const heir = sampleTool({ name: 'echo', pluginId: 'other' })
  const snapshot = CatalogSnapshot.empty.with({ put: [before] }).with({ put: [heir, moved] })
  expect([...snapshot.tools]).toEqual([heir, moved])
  expect([...snapshot.ofPlugin('acme')]).toEqual([moved])
  expect([...snapshot.ofPlugin('other')]).toEqual([heir])
  expect(snapshot.find('echo')).toBe(heir)
})

test('two tools with one public name are an error that names both', () => {
  const one = sampleTool({ name: 'echo' })
  const other = sampleTool({ name: 'echo', pluginId: 'other' })
  const message = '"plugin:acme:echo" and "plugin:other:echo" have one public name, "echo"'
  expect(() => CatalogSnapshot.empty.with({ put: [one, other] })).toThrow(message)
  expect(() => CatalogSnapshot.empty.with({ put: [one] }).with({ put: [other] })).toThrow(message)
})

test('one tool twice in a change is an error', () => {
  const twice = [sampleTool({ name: 'a', declaredName: 'x' }), sampleTool({ name: 'b', declaredName: 'x' })]
  expect(() => CatalogSnapshot.empty.with({ put: twice })).toThrow('"plugin:acme:x" was put twice in one change')
})

test('removing a tool that is not there, or by its public name, changes nothing', () => {
  const snapshot = CatalogSnapshot.empty.with({ put: named('a') })
  expect(snapshot.with({ removed: ['plugin:acme:b', 'a'] })).toBe(snapshot)
  expect(snapshot.with({})).toBe(snapshot)
})

test('lost names stay until a change brings others', () => {
  const lostNames = new Map([['echo', ['plugin:a:echo', 'plugin:b:echo']]])
  const first = CatalogSnapshot.empty.with({ lostNames })
  const second = first.with({ put: named('a') })
  expect(second.lostNames).toBe(lostNames)
  expect(second.with({ lostNames: new Map() }).lostNames.size).toBe(0)
})

test('what did not change is shared: the lists of other plugins, and the search index of the same tools', () => {
  const first = CatalogSnapshot.empty.with({ put: [sampleTool({ name: 'x', pluginId: 'b' }), ...named('a')] })
  const second = first.with({ put: named('c') })
  expect(second.ofPlugin('b')).toBe(first.ofPlugin('b'))
  expect(first.searchIndex).toBe(first.searchIndex)
})

const pluginId = fc.constantFrom('p', 'q', 'r')
const declaredName = fc.constantFrom('a', 'b', 'c', 'd')
const step = fc.record({
  removed: fc.array(fc.tuple(pluginId, declaredName)),
  put: fc.uniqueArray(fc.tuple(pluginId, declaredName, fc.nat(2)), { selector: ([id, name]) => `${id}:${name}` }),
})

test('a snapshot derived by many changes equals one made at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const there = new Map<string, CatalogTool>()
      let derived = CatalogSnapshot.empty
      for (const { removed, put } of steps) {
        const tools = put.map(([id, name, version]) =>
          sampleTool({ name: `${name}-${version}-${id}`, pluginId: id, declaredName: name }),
        )
        const gone = removed.map(([id, name]) => `plugin:${id}:${name}`)
        for (const name of gone) there.delete(name)
        for (const tool of tools) there.set(tool.entry.namespacedName, tool)
        derived = derived.with({ removed: gone, put: tools })
      }
      const whole = CatalogSnapshot.empty.with({ put: there.values() })
      expect([...derived.tools]).toEqual([...whole.tools])
      expect(derived.pluginIds).toEqual(whole.pluginIds)
      for (const id of ['p', 'q', 'r']) expect([...derived.ofPlugin(id)]).toEqual([...whole.ofPlugin(id)])
      for (const { entry } of whole.tools) {
        expect(derived.find(entry.name)).toBe(whole.find(entry.name))
        expect(derived.find(entry.namespacedName)).toBe(whole.find(entry.namespacedName))
      }
    }),
  )
})

test('a surface has everything until a tool comes that is not offered there, and again when it is gone', () => {
  const bound = sampleTool({ name: 'b', definition: { surfaces: ['cli'] } })
  const first = CatalogSnapshot.empty.with({ put: named('a') })
  const second = first.with({ put: [bound] })
  const surfaces = (snapshot: CatalogSnapshot) => [snapshot.offersAllOn('mcp'), snapshot.offersAllOn('cli')]
  expect(surfaces(first)).toEqual([true, true])
  expect(surfaces(second)).toEqual([false, true])
  expect(surfaces(second.with({ put: [bound] }))).toEqual([false, true])
  expect(surfaces(second.with({ removed: ['plugin:acme:b', 'plugin:acme:b'] }))).toEqual([true, true])
  expect(surfaces(second.with({ put: named('b') }))).toEqual([true, true])
})
