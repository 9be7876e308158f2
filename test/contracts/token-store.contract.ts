/** What every store of tokens has to do, whatever is behind it. */
import { describe, expect, test } from 'vitest'
import type { Store } from '../../packages/callboard/src/store/store.ts'
import type { StoredToken } from '../../packages/callboard/src/store/token-store.ts'

const LAPTOP: StoredToken = { id: '00ff00ff', name: 'laptop', user: 'ana', hash: 'ab'.repeat(32), createdAt: 1 }
const BUILD: StoredToken = {
  id: '11ee11ee',
  name: 'build "x"',
  user: 'ben',
  hash: 'cd'.repeat(32),
  createdAt: 1_796_000_000_000,
  expiresAt: 1_796_000_000_001,
  permissions: ['github.get_*'],
}

/** Runs the contract. `open` opens an empty store, or that of `again` a second time, and closes it after the test. */
export function tokenStoreContract(name: string, open: (again?: Store) => Store): void {
  describe(`the tokens in ${name}`, () => {
    test('come back as they were added, by id and sorted by name', () => {
      const { tokens } = open()
      expect([LAPTOP, BUILD].map((token) => tokens.add(token))).toEqual([true, true])
      expect(tokens.all()).toStrictEqual([BUILD, LAPTOP])
      expect([LAPTOP.id, BUILD.id, 'build "x"', ''].map((id) => tokens.find(id))).toStrictEqual([
        LAPTOP,
        BUILD,
        undefined,
        undefined,
      ])
    })

    test('narrowed to nothing stay so', () => {
      const { tokens } = open()
      tokens.add({ ...LAPTOP, permissions: [] })
      expect(tokens.find(LAPTOP.id)?.permissions).toEqual([])
    })

    test('have one name and one id each: the first stays', () => {
      const { tokens } = open()
      tokens.add(LAPTOP)
      expect(tokens.add({ ...BUILD, id: LAPTOP.id })).toBe(false)
      expect(tokens.add({ ...BUILD, name: LAPTOP.name })).toBe(false)
      expect(tokens.all()).toEqual([LAPTOP])
    })

    test('are gone once they are removed, one by one or all of a user', () => {
      const { tokens } = open()
      const third = { ...BUILD, id: '22', name: 'third', user: 'ana' }
      for (const token of [LAPTOP, BUILD, third]) tokens.add(token)
      expect([tokens.remove(LAPTOP.id), tokens.remove(LAPTOP.id)]).toEqual([true, false])
      tokens.removeOf('ana')
      tokens.removeOf('nobody')
      expect(tokens.all()).toEqual([BUILD])
      expect([LAPTOP.id, third.id].map((id) => tokens.find(id))).toEqual([undefined, undefined])
    })

    test('are seen, and missed, at once by another one that is open on the same place', () => {
      const store = open()
      const other = open(store)
      store.tokens.add(LAPTOP)
      expect(other.tokens.find(LAPTOP.id)).toEqual(LAPTOP)
      other.tokens.remove(LAPTOP.id)
      expect(store.tokens.find(LAPTOP.id)).toBeUndefined()
    })

    test('are kept when the store is closed and opened again, and a closed one refuses', () => {
      const store = open()
      store.tokens.add(BUILD)
      store[Symbol.dispose]()
      const refusal = expect.objectContaining({ name: 'CallboardError', code: 'internal' })
      expect(() => store.tokens.find(BUILD.id)).toThrow(refusal)
      expect(open(store).tokens.all()).toEqual([BUILD])
    })
  })
}
