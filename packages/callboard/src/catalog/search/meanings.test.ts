import { describe, expect, test } from 'vitest'
import { sampleTool } from '../testing/sample-tool.ts'
import { sortedTools } from '../tool-lists.ts'
import { LiveSearch } from './live-search.ts'
import { wholeScope } from './whole-scope.ts'
import { WordVectors } from './word-vectors.ts'

const VECTORS = new WordVectors(
  ['letter', 'post', 'garden', 'plants', 'water'],
  Int8Array.from([100, 0, 100, 10, 0, 100, 0, 100, 10, 90]),
)
const TOOLS = [
  sampleTool({ name: 'a', description: 'puts something away in a garden' }),
  sampleTool({ name: 'b', description: 'puts something away in a letter' }),
  sampleTool({ name: 'c', description: 'brings a garden' }),
]

function found(query: string, vectors: WordVectors | undefined, tools = TOOLS): readonly number[] {
  const search = new LiveSearch({ vectors: () => vectors })
  const matches = search.search(sortedTools(tools), { query, scope: wholeScope(tools.length), most: 9 })
  return matches.tools.map((tool) => tools.indexOf(tool))
}

describe('of tools that have the same words of a query', () => {
  test('the one that means the same comes first', () => {
    expect(found('put away plants', VECTORS)).toEqual([0, 1])
    expect(found('put away post', VECTORS)).toEqual([1, 0])
  })

  test('the first by name comes first without vectors, or with none of the words', () => {
    for (const query of ['put away plants', 'put away post']) expect(found(query, undefined)).toEqual([0, 1])
    expect(found('put away post', new WordVectors([], new Int8Array()))).toEqual([0, 1])
  })
})

test('a tool that has no word of the query is not found, whatever its words mean', () => {
  expect(found('plants', VECTORS)).toEqual([])
})

test('a clause finds the tool that means it', () => {
  expect(found('water plants put away post', VECTORS)[0]).toBe(0)
  expect(found('water plants and put away post', VECTORS)[0]).toBe(1)
})

test('vectors are asked for at the first search, once', () => {
  let asked = 0
  const search = new LiveSearch({
    vectors: () => {
      asked++
      return undefined
    },
  })
  search.suggest(sortedTools(TOOLS), 'garden', 9, () => true)
  expect(asked).toBe(0)
  for (const query of ['garden', 'letter']) search.search(sortedTools(TOOLS), { query, scope: wholeScope(3), most: 9 })
  expect(asked).toBe(1)
})

test('the vectors that come with this package tell a forecast from paint', () => {
  const tools = [
    sampleTool({ name: 'a', description: 'Mixes a paint that keeps out rain' }),
    sampleTool({ name: 'b', description: 'The weather at a place: sun and rain' }),
  ]
  const query = 'shall I expect rain tomorrow'
  const request = { query, scope: wholeScope(2), most: 9 }
  expect(new LiveSearch().search(sortedTools(tools), request).tools).toEqual(tools.toReversed())
  expect(found(query, undefined, tools)).toEqual([0, 1])
})
