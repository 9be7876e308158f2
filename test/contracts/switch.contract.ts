/** What every store of switches has to do, whatever is behind it. */
import { describe, expect, test } from 'vitest'
import type { Store } from '../../packages/callboard/src/store/store.ts'
import type { SwitchedOff } from '../../packages/callboard/src/store/switch-store.ts'

const TOOL: SwitchedOff = { kind: 'tool', name: 'plugin:a:x', publicName: 'a_x', since: 1_796_000_000_000 }
const PLUGIN: SwitchedOff = { kind: 'plugin', name: 'a', since: 5 }

/** Runs the contract. `open` opens an empty store, or that of `again` a second time, and closes it after the test. */
export function switchContract(name: string, open: (again?: Store) => Store): void {
  describe(`the switches in ${name}`, () => {
    test('are what was switched off and not on again, sorted by name', () => {
      const { switches } = open()
      expect(switches.all()).toEqual([])
      switches.switchOff(TOOL)
      switches.switchOff(PLUGIN)
      expect(switches.all()).toStrictEqual([PLUGIN, TOOL])
      switches.switchOn('tool', 'plugin:a:x')
      switches.switchOn('tool', 'never switched off')
      expect(switches.all()).toStrictEqual([PLUGIN])
    })

    test('tell a plugin from a tool of the same name, and keep the first time', () => {
      const { switches } = open()
      switches.switchOff(PLUGIN)
      switches.switchOff({ ...PLUGIN, since: 9 })
      switches.switchOff({ ...PLUGIN, kind: 'tool' })
      switches.switchOn('tool', 'a')
      expect(switches.all()).toStrictEqual([PLUGIN])
    })

    test('say that another one which is open on the same place changed something, once', () => {
      const store = open()
      const other = open(store)
      expect(store.switches.changedElsewhere()).toBe(false)
      store.switches.switchOff(TOOL)
      expect(store.switches.changedElsewhere()).toBe(false)
      other.switches.switchOff(PLUGIN)
      expect(store.switches.changedElsewhere()).toBe(true)
      expect(store.switches.changedElsewhere()).toBe(false)
      expect(store.switches.all()).toStrictEqual([PLUGIN, TOOL])
    })

    test('are kept when the store is closed and opened again', () => {
      const store = open()
      store.switches.switchOff(TOOL)
      store[Symbol.dispose]()
      expect(open(store).switches.all()).toStrictEqual([TOOL])
    })
  })
}
