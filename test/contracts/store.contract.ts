/** What every store has to do, whatever is behind it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../packages/callboard/src/store/store.ts'
import type { ToolDefinition } from '../../packages/sdk/src/index.ts'

const ECHO: ToolDefinition = { package: 'acme/hello', name: 'echo', action: './echo.ts', readOnly: true }
const ODD: ToolDefinition = {
  package: 'github',
  name: '搜索 🎉 "quoted" \ud800',
  action: "it's; DROP TABLE tool_list",
  inputSchema: JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}}}'),
  listed: { icons: [{ src: 'data:' }], _meta: null },
}

/** Runs the contract. `open` opens an empty store, or that of `again` a second time, and closes it after the test. */
export function storeContract(name: string, open: (again?: Store) => Store): void {
  describe(`the store in ${name}`, () => {
    describe('remembers tool lists:', () => {
      test('a list comes back as it was put, under its plugin and fingerprint', () => {
        const { toolLists } = open()
        const list = { tools: [ECHO, ODD], listedAt: 1_796_000_000_000, hints: { era: 'modern', pages: [1, null] } }
        const { tools, ...rest } = list
        toolLists.change('github', 'f1', { put: tools, removed: [], begins: true, ...rest })
        expect(toolLists.get('github', 'f1')).toStrictEqual(list)
        expect(toolLists.get('github', 'f2')).toBeUndefined()
        expect(toolLists.get('other', 'f1')).toBeUndefined()
      })

      test('a list without hints comes back without hints, and an empty one empty', () => {
        const { toolLists } = open()
        toolLists.change('a', 'f', { put: [], removed: [], begins: true, listedAt: 0 })
        expect(toolLists.get('a', 'f')).toStrictEqual({ tools: [], listedAt: 0 })
      })

      test('a change leaves what it does not name, in its order, and what it names is as it says', () => {
        const { toolLists } = open()
        const other: ToolDefinition = { ...ECHO, name: 'other' }
        toolLists.change('github', 'f', {
          put: [ECHO, ODD, other],
          removed: [],
          begins: true,
          listedAt: 1,
          hints: { a: 1 },
        })
        const changed = { ...ECHO, description: 'another' }
        toolLists.change('github', 'f', { put: [changed], removed: [ODD.name, 'never there'], listedAt: 2 })
        expect(toolLists.get('github', 'f')).toStrictEqual({ tools: [changed, other], listedAt: 2 })
      })

      test('a list of another fingerprint takes the place of the old one', () => {
        const { toolLists } = open()
        toolLists.change('a', 'old', { put: [ECHO], removed: [], begins: true, listedAt: 1, hints: { old: true } })
        toolLists.change('a', 'new', { put: [], removed: [], begins: true, listedAt: 2 })
        expect(toolLists.get('a', 'old')).toBeUndefined()
        expect(toolLists.get('a', 'new')).toStrictEqual({ tools: [], listedAt: 2 })
      })

      test('a list is known only when it is whole, before a change and behind it', () => {
        const { toolLists } = open()
        toolLists.change('a', 'f', { put: [ECHO], removed: [], begins: true, goesOn: true, listedAt: 1 })
        expect(toolLists.get('a', 'f')).toBeUndefined()
        expect(toolLists.change('a', 'f', { put: [ODD], removed: [], listedAt: 2 })).toBe(true)
        expect(toolLists.get('a', 'f')?.tools).toStrictEqual([ECHO, ODD])
        toolLists.change('a', 'f', { put: [], removed: [ECHO.name], goesOn: true, listedAt: 3 })
        expect(toolLists.get('a', 'f')).toBeUndefined()
        toolLists.change('a', 'f', { put: [ECHO], removed: [], begins: true, listedAt: 4 })
        expect(toolLists.get('a', 'f')).toStrictEqual({ tools: [ECHO], listedAt: 4 })
      })

      test('nothing is changed in a list that is not there, or is that of another fingerprint', () => {
        const { toolLists } = open()
        expect(toolLists.change('a', 'f', { put: [ECHO], removed: [], listedAt: 1 })).toBe(false)
        expect(toolLists.get('a', 'f')).toBeUndefined()
        toolLists.change('a', 'other', { put: [ECHO], removed: [], begins: true, listedAt: 1 })
        expect(toolLists.change('a', 'f', { put: [], removed: [ECHO.name], listedAt: 2 })).toBe(false)
        expect(toolLists.get('a', 'other')).toStrictEqual({ tools: [ECHO], listedAt: 1 })
      })

      test('a deleted list is gone, those of other plugins stay, and deleting it again is harmless', () => {
        const { toolLists } = open()
        for (const id of ['a', 'b']) toolLists.change(id, 'f', { put: [ECHO], removed: [], begins: true, listedAt: 1 })
        toolLists.delete('a')
        toolLists.delete('a')
        expect(toolLists.get('a', 'f')).toBeUndefined()
        expect(toolLists.get('b', 'f')?.tools).toStrictEqual([ECHO])
      })
    })

    describe('remembers what plugins keep:', () => {
      test('any JSON value comes back, and the last one set counts', () => {
        const { pluginStorage } = open()
        fc.assert(
          fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (key, value) => {
            pluginStorage.set('a', key, value)
            expect(pluginStorage.get('a', key)).toStrictEqual(JSON.parse(JSON.stringify(value)))
          }),
        )
      })

      test('each plugin has its own keys', () => {
        const { pluginStorage } = open()
        pluginStorage.set('a', 'k', 1)
        pluginStorage.set('b', 'k', 2)
        expect(['a', 'b', 'c'].map((id) => pluginStorage.get(id, 'k'))).toEqual([1, 2, undefined])
      })

      test('undefined forgets the key, and null is a value', () => {
        const { pluginStorage } = open()
        for (const key of ['x', 'y']) pluginStorage.set('a', key, 1)
        pluginStorage.set('a', 'x', undefined)
        pluginStorage.set('a', 'y', null)
        expect(pluginStorage.get('a', 'x')).toBeUndefined()
        expect(pluginStorage.get('a', 'y')).toBeNull()
      })

      test('a value that has no JSON is refused and the old one stays', () => {
        const { pluginStorage } = open()
        const circle: Record<string, unknown> = {}
        circle.self = circle
        pluginStorage.set('a', 'k', 1)
        for (const value of [circle, 1n, () => 1])
          expect(() => pluginStorage.set('a', 'k', value)).toThrow(
            expect.objectContaining({
              code: 'usage',
              message: expect.stringContaining('"k" of plugin "a" has to be JSON'),
            }),
          )
        expect(pluginStorage.get('a', 'k')).toBe(1)
      })
    })

    test('keeps everything when it is closed and opened again', () => {
      const store = open()
      store.toolLists.change('a', 'f', { put: [ECHO], removed: [], begins: true, listedAt: 5 })
      store.pluginStorage.set('a', 'k', { n: 1 })
      store[Symbol.dispose]()
      const again = open(store)
      expect(again.toolLists.get('a', 'f')).toStrictEqual({ tools: [ECHO], listedAt: 5 })
      expect(again.pluginStorage.get('a', 'k')).toStrictEqual({ n: 1 })
    })

    test('shows at once what another one that is open on the same place has written', () => {
      const store = open()
      const other = open(store)
      store.pluginStorage.set('a', 'k', 1)
      expect(other.pluginStorage.get('a', 'k')).toBe(1)
      other.toolLists.change('a', 'f', { put: [ECHO], removed: [], begins: true, listedAt: 5 })
      expect(store.toolLists.get('a', 'f')?.listedAt).toBe(5)
    })

    test('can be closed twice, and then refuses with an error of its own', () => {
      const store = open()
      store[Symbol.dispose]()
      store[Symbol.dispose]()
      const refusal = expect.objectContaining({ name: 'CallboardError', code: 'internal' })
      expect(() => store.toolLists.get('a', 'f')).toThrow(refusal)
      expect(() => store.pluginStorage.set('a', 'k', 1)).toThrow(refusal)
    })
  })
}
