import { expect, test } from 'vitest'
import { listTools, withKnown } from './list-tools.ts'
import type { JsonObject } from './messages.ts'

const pages = (...results: JsonObject[]) => {
  const asked: (string | undefined)[] = []
  const page = (cursor: string | undefined): Promise<JsonObject> => {
    asked.push(cursor)
    const result = results[asked.length - 1]
    return result ? Promise.resolve(result) : Promise.reject(new Error('lost'))
  }
  return { asked, page }
}

test('an empty cursor is a cursor, and only its absence ends the list', async () => {
  const { asked, page } = pages({ tools: [1], nextCursor: '' }, { tools: [2] })
  expect(await listTools(page)).toEqual({ entries: [1, 2], incomplete: undefined })
  expect(asked).toEqual([undefined, ''])
})

test('the failure of the first page is the failure of the whole', async () => {
  await expect(listTools(pages().page)).rejects.toThrow('lost')
})

test('a later failure leaves what was read, with the reason', async () => {
  const listed = await listTools(pages({ tools: [1], nextCursor: 'a' }).page)
  expect(listed).toEqual({ entries: [1], incomplete: 'page 2 of its list of tools failed: lost' })
})

test('an answer without tools is told', async () => {
  expect((await listTools(pages({}).page)).incomplete).toBe('page 1 of its list of tools has no "tools"')
})

test('known tools follow the new ones and never replace them', () => {
  const known = [
    { name: 'a', old: true },
    { name: 'b', old: true },
  ]
  expect(withKnown([{ name: 'a' }, 'odd'], known)).toEqual([{ name: 'a' }, 'odd', { name: 'b', old: true }])
})

test.each([
  ['large', [{ name: 'a', description: 'x'.repeat(10_000_000) }]],
  ['many', Array.from({ length: 10_000 }, () => ({}))],
])('a list that goes on with ever more %s pages is left, with the reason', async (_, tools) => {
  let asked = 0
  const listed = await listTools(() => {
    asked += 1
    return Promise.resolve({ tools, nextCursor: `c${asked}` })
  })
  expect(asked).toBeLessThan(12)
  expect(listed.incomplete).toBe(`its list of tools is too long and goes on after page ${asked}; the rest is not read`)
})
