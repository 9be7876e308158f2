/** Whoever subscribes to changes hears of its own list, and of one that can't be worked out. */
import { expect, test } from 'vitest'
import { watchList } from '../../packages/callboard/src/surfaces/mcp/list-changes.ts'
import { hostDouble, ScriptedPlugin } from './host-double.ts'

const options = { user: 'owner', era: 'modern', expose: 'all' } as const
const labWith = (name: string): readonly ScriptedPlugin[] => [new ScriptedPlugin('lab', [{ name }])]

test('a list has changed since the last time that this was asked, or has not', async () => {
  const { host, setPlugins } = await hostDouble(labWith('before'))
  const hasChanged = await watchList(host, options)
  expect(await hasChanged()).toBe(false)
  setPlugins(labWith('after'))
  expect([await hasChanged(), await hasChanged()]).toEqual([true, false])
  setPlugins(labWith('after'))
  expect(await hasChanged()).toBe(false)
})

test('a list that can not be worked out counts as another, for as long as that is so', async () => {
  const { host } = await hostDouble(labWith('before'))
  let isBroken = false
  const { view } = host
  Object.assign(host, {
    view: (...asked: Parameters<typeof view>) =>
      isBroken ? Promise.reject(new Error('the gate is down')) : view(...asked),
  })
  const hasChanged = await watchList(host, options)
  isBroken = true
  expect([await hasChanged(), await hasChanged()]).toEqual([true, true])
  isBroken = false
  expect([await hasChanged(), await hasChanged()]).toEqual([true, false])
})
