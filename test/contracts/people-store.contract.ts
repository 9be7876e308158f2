/** What every store of users and roles has to do, whatever is behind it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../packages/callboard/src/store/store.ts'

const ANA = { name: 'ana', roles: ['support', 'ops'], disabled: false }

/** Runs the contract. `open` opens an empty store, or that of `again` a second time, and closes it after the test. */
export function peopleStoreContract(name: string, open: (again?: Store) => Store): void {
  describe(`the users and roles in ${name}`, () => {
    test('come back as they were added, sorted by name', () => {
      const { people } = open()
      const ben = { name: 'ben "B" \u{1f3ad}', roles: [], disabled: true }
      expect([ben, ANA].map((user) => people.addUser(user))).toEqual([true, true])
      expect(people.users()).toStrictEqual([ANA, ben])
      const roles = [
        { name: 'support', permissions: ['github.get_*', "it's; DROP TABLE role"] },
        { name: 'none', permissions: [] },
      ]
      for (const role of roles) expect(people.addRole(role)).toBe(true)
      expect(people.roles()).toStrictEqual(roles.toReversed())
    })

    test('keep any name and any list of texts', () => {
      const { people } = open()
      const text = fc.string({ minLength: 1, unit: 'grapheme' })
      fc.assert(
        fc.property(text, fc.array(text), fc.boolean(), (name, roles, disabled) => {
          people.removeUser(name)
          people.addUser({ name, roles, disabled })
          expect(people.users().find((user) => user.name === name)).toStrictEqual({ name, roles, disabled })
        }),
      )
    })

    test('are not added twice: the first stays', () => {
      const { people } = open()
      people.addUser(ANA)
      expect(people.addUser({ name: 'ana', roles: [], disabled: true })).toBe(false)
      people.addRole({ name: 'r', permissions: ['a'] })
      expect(people.addRole({ name: 'r', permissions: ['b'] })).toBe(false)
      expect([people.users(), people.roles()]).toEqual([[ANA], [{ name: 'r', permissions: ['a'] }]])
    })

    test('tell names apart by case', () => {
      const { people } = open()
      expect(['ana', 'Ana'].map((name) => people.addUser({ ...ANA, name }))).toEqual([true, true])
    })

    test('are changed one thing at a time', () => {
      const { people } = open()
      people.addUser(ANA)
      expect(people.setDisabled('ana', true)).toBe(true)
      expect(people.setRoles('ana', ['x'])).toBe(true)
      expect(people.users()).toEqual([{ name: 'ana', roles: ['x'], disabled: true }])
      people.addRole({ name: 'r', permissions: ['a'] })
      expect(people.setPermissions('r', ['b', 'c'])).toBe(true)
      expect(people.roles()).toEqual([{ name: 'r', permissions: ['b', 'c'] }])
    })

    test('are gone once they are removed, and what is not there is said so', () => {
      const { people } = open()
      people.addUser(ANA)
      people.addRole({ name: 'r', permissions: [] })
      expect([people.removeUser('ana'), people.removeRole('r')]).toEqual([true, true])
      expect([people.users(), people.roles()]).toEqual([[], []])
      expect([
        people.removeUser('ana'),
        people.removeRole('r'),
        people.setRoles('ana', []),
        people.setDisabled('ana', true),
        people.setPermissions('r', []),
      ]).toEqual(Array(5).fill(false))
    })

    test('have another revision after each change, and the same one as long as nothing changes', () => {
      const store = open()
      const { people } = store
      const changes = [
        () => people.addUser(ANA),
        () => people.setDisabled('ana', true),
        () => people.setRoles('ana', []),
        () => people.removeUser('ana'),
        () => people.addRole({ name: 'r', permissions: [] }),
        () => people.setPermissions('r', ['a']),
        () => people.removeRole('r'),
      ]
      const seen = [people.revision(), ...changes.map((change) => change() && people.revision())]
      expect(new Set(seen).size).toBe(changes.length + 1)
      people.users()
      people.removeUser('nobody')
      expect(people.revision()).toBe(seen.at(-1))
    })

    test('are seen at once, with another revision, by another one that is open on the same place', () => {
      const store = open()
      const other = open(store)
      const before = other.people.revision()
      store.people.addUser(ANA)
      expect(other.people.revision()).not.toBe(before)
      expect(other.people.users()).toEqual([ANA])
      expect(other.people.addUser(ANA)).toBe(false)
    })

    test('are kept when the store is closed and opened again, and a closed one refuses', () => {
      const store = open()
      store.people.addUser(ANA)
      const revision = store.people.revision()
      store[Symbol.dispose]()
      expect(() => store.people.users()).toThrow(expect.objectContaining({ name: 'CallboardError', code: 'internal' }))
      const { people } = open(store)
      expect([people.users(), people.revision()]).toEqual([[ANA], revision])
    })
  })
}
