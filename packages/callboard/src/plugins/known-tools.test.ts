/** The list that is known of a plugin, as it becomes another one. */
import type { ToolDefinition } from '@callboard/sdk'
import { expect, test } from 'vitest'
import { memoryToolLists } from '../../../../test/fixtures/memory-tool-lists.ts'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import type { ToolListStore } from '../store/store.ts'
import { KnownTools } from './known-tools.ts'

const { signal } = new AbortController()
const tool = (name: string, description = 'as it was'): ToolDefinition => ({
  package: 'a',
  name,
  action: name,
  description,
})
const many = (count: number, description?: string): ToolDefinition[] =>
  Array.from({ length: count }, (_, index) => tool(`t${index}`, description))

function known(store: ToolListStore = memoryToolLists(), fingerprint = 'f') {
  const log = createLog(new Secrets(), 'silent')
  const steps: (readonly ToolDefinition[])[] = []
  const tools = new KnownTools({ pluginId: 'a', fingerprint, store, log })
  const take = (list: readonly ToolDefinition[], until = signal, onStep = (): void => {}): Promise<boolean> =>
    tools.take(
      { tools: list, reports: [] },
      {
        signal: until,
        onStep: () => {
          steps.push(tools.tools)
          onStep()
        },
      },
    )
  return { tools, steps, take, stored: () => store.get('a', fingerprint)?.tools }
}

/** How many tools of the one list are not in the other. */
function missing(from: readonly ToolDefinition[], list: readonly ToolDefinition[]): number {
  const there = new Set(list)
  return from.filter((one) => !there.has(one)).length
}

test('what did not change is the same object as before, in the order of the new list', async () => {
  const { tools, take, stored } = known()
  expect(await take([tool('a'), tool('b')])).toBe(true)
  const [a] = tools.tools
  expect(await take([tool('b', 'another'), tool('a')])).toBe(true)
  expect(tools.tools).toEqual([tool('b', 'another'), tool('a')])
  expect(tools.tools[1]).toBe(a)
  expect(await take([tool('b', 'another'), tool('a')])).toBe(false)
  expect(stored()).toEqual([tool('a'), tool('b', 'another')])
})

test('a list that changes in thousands of tools does so step by step, those that are gone first', async () => {
  const { tools, steps, take, stored } = known()
  const next = [...many(3_000, 'another'), ...Array.from({ length: 2_000 }, (_, index) => tool(`new${index}`))]
  await take(many(6_000))
  steps.length = 0
  await take(next)
  expect(steps[2]).toHaveLength(3_000)
  const all = [...steps, tools.tools]
  for (const [index, list] of steps.entries()) {
    const after = all[index + 1] ?? []
    expect(missing(list, after) + missing(after, list)).toBeLessThanOrEqual(2_000)
  }
  expect(tools.tools).toEqual(next)
  await tools.written
  expect(new Map(stored()?.map((one) => [one.name, one]))).toEqual(new Map(next.map((one) => [one.name, one])))
})

test('the step in which it is ended is the last, and the next list is taken whole', async () => {
  const { tools, steps, take, stored } = known()
  await take(many(5_000))
  steps.length = 0
  const ending = new AbortController()
  await expect(take(many(5_000, 'another'), ending.signal, () => ending.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  )
  expect(steps).toHaveLength(1)
  expect(tools.tools.filter(({ description }) => description === 'another')).toHaveLength(1_000)
  await take(many(5_000, 'a third'))
  await tools.written
  expect(tools.tools).toEqual(many(5_000, 'a third'))
  expect(stored()).toEqual(many(5_000, 'a third'))
})

test('a list of which a part alone is in the store is not known to the next run', async () => {
  const { tools, take, stored } = known()
  await take(many(500))
  expect(stored()).toBeUndefined()
  await tools.written
  expect(stored()).toEqual(many(500))
  await take(many(500, 'another'))
  expect(stored()).toBeUndefined()
  await tools.written
  expect(stored()).toEqual(many(500, 'another'))
})

test('what another host with another config has put in the place of a list does not take a part of it', async () => {
  const store = memoryToolLists()
  const [one, other] = [known(store), known(store, 'g')]
  await one.take(many(500))
  await one.tools.written
  await other.take([tool('other')])
  expect(one.stored()).toBeUndefined()
  await one.take([tool('t0', 'another'), ...many(500).slice(1)])
  await one.tools.written
  expect(one.stored()).toHaveLength(500)
})

test('two hosts that write in the place of each other all the time end', async () => {
  const lists = memoryToolLists()
  const store: ToolListStore = {
    ...lists,
    change(pluginId, fingerprint, change) {
      lists.change(pluginId, 'g', { put: [], removed: [], begins: true, listedAt: 1 })
      return lists.change(pluginId, fingerprint, change)
    },
  }
  const { tools, take, stored } = known(store)
  await take(many(500))
  await tools.written
  expect(stored()).toBeUndefined()
})
