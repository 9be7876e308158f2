import { expect, test } from 'vitest'
import { type SampleTool, sampleTool } from '../testing/sample-tool.ts'
import { sortedTools } from '../tool-lists.ts'
import { LiveSearch } from './live-search.ts'
import { wholeScope } from './whole-scope.ts'

/**
 * The names that a search by words alone finds, best first; where two fit as well, the first by alphabet comes first.
 */
function search(query: string, ...tools: readonly SampleTool[]): readonly string[] {
  const sorted = tools.map(sampleTool).sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  const found = new LiveSearch({ vectors: () => undefined }).search(sortedTools(sorted), {
    query,
    scope: wholeScope(sorted.length),
    most: 10,
  })
  return found.tools.map(({ entry }) => entry.name)
}

test('a word that is used for the same counts', () => {
  expect(search('remove the note', { name: 'create_note' }, { name: 'delete_note' })[0]).toBe('delete_note')
  expect(search('make the note', { name: 'create_note' }, { name: 'append_note' })[0]).toBe('create_note')
})

test('a word as it stands counts more than another form of it', () => {
  const [one, many] = [
    { name: 'a', description: 'a job' },
    { name: 'b', description: 'some jobs' },
  ] as const
  expect(search('my jobs please', one, many)).toEqual(['b', 'a'])
  expect(search('my job please', { ...one, name: 'c' }, many)).toEqual(['c', 'b'])
})

test('a tool is found by a word that only its tags have', () => {
  expect(search('an invoice', { name: 'a' }, { name: 'b', definition: { tags: ['invoice'] } })).toEqual(['b'])
})

test('a name of which the query has every word counts more than one of which it has some', () => {
  const covered = { name: 'send_mail', description: '' }
  const other = { name: 'cold_mail', title: 'send', description: 'send' }
  expect(search('please send some mail', covered, other)).toEqual(['send_mail', 'cold_mail'])
})

test('a tool that has every word of the query counts more than one that has some of them often', () => {
  const covering = { name: 'z', description: 'mail parcels' }
  const often = { name: 'a', title: 'mail', description: 'mail' }
  const others = ['b', 'c', 'd'].map((name) => ({ name, description: 'parcels' }))
  expect(search('please mail some parcels', covering, often, ...others).slice(0, 2)).toEqual(['z', 'a'])
})
