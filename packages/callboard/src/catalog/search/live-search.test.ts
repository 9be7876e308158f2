import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleTool } from '../testing/sample-tool.ts'
import { sortedTools } from '../tool-lists.ts'
import { createSearchIndex } from './create-search-index.ts'
import { LiveSearch } from './live-search.ts'
import type { SearchScope } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { wholeScope } from './whole-scope.ts'

const WORDS = ['list', 'lists', 'issue', 'issues', 'open', 'the', 'file', 'réport']
const NAMES = WORDS.flatMap((word, i) => WORDS.map((other, j) => `${word}_${other}${(i + j) % 3}`)).sort()

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' '))
const tool = fc.record({ description: text, plugin: fc.constantFrom('github', 'files'), argument: text })
/** A list of tools sorted by name, each made up of what was drawn for its name. */
const list = fc
  .uniqueArray(fc.tuple(fc.nat(NAMES.length - 1), tool), { selector: ([name]) => name, maxLength: 40 })
  .map((drawn): SearchableTool[] =>
    drawn
      .sort(([a], [b]) => a - b)
      .map(([name, { description, plugin, argument }]) =>
        sampleTool({
          name: NAMES[name] ?? '',
          pluginId: plugin,
          description,
          definition: { inputSchema: { properties: { [argument]: {} } } },
        }),
      ),
  )

/** Lists that follow one another by small changes, as a catalogue's do. */
const lists = fc
  .tuple(list, fc.array(fc.tuple(list, fc.nat(NAMES.length), fc.nat(8)), { maxLength: 12 }))
  .map(([first, changes]) => {
    const all = [first]
    for (const [other, from, count] of changes) {
      const changed = new Set(NAMES.slice(from, from + count))
      const kept = (all.at(-1) ?? []).filter(({ entry }) => !changed.has(entry.name))
      const put = other.filter(({ entry }) => changed.has(entry.name))
      all.push([...kept, ...put].sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1)))
    }
    return all
  })

const QUERIES = [
  'list',
  'open the issue',
  'issues',
  'file report',
  'list_issue1',
  'plugin:files:file_open0',
  'e',
  'x',
  'show the isues',
  'view repo',
  'open fil',
  'list the files, then report on open issues and show them',
]

/** The scope of the tools at these positions. */
function scopeOf(tools: readonly SearchableTool[], has: (position: number) => boolean): SearchScope {
  const size = tools.filter((_, position) => has(position)).length
  return { size, isWhole: size === tools.length, has }
}

describe('a search that has followed many lists', () => {
  test('answers about each of them, newer or older, as one that knows no other', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.nat(), { maxLength: 12 }), fc.nat(6), (all, order, left) => {
        const live = new LiveSearch({ leastSwept: 4 })
        const has = (position: number): boolean => position % 7 !== left
        for (const tools of [...all, ...order.map((i) => all[i % all.length] ?? [])]) {
          const followed = createSearchIndex(sortedTools(tools), live)
          const alone = createSearchIndex(sortedTools(tools), new LiveSearch())
          for (const query of QUERIES) {
            const most = query.length % 2 === 0 ? 3 : Number.POSITIVE_INFINITY
            const request = { query, most, scope: scopeOf(tools, has) }
            const expected = alone.search({ ...request, scope: scopeOf(tools, has) })
            expect(followed.search(request)).toEqual(expected)
            expect(followed.search(request)).toEqual(expected)
            expect(followed.suggest(query, 4, has)).toEqual(alone.suggest(query, 4, has))
          }
        }
      }),
      { numRuns: 80 },
    )
  })

  test('finds nothing of a tool that is gone, and finds it when it is back', () => {
    const [gone, stays] = [sampleTool({ name: 'a_needle' }), sampleTool({ name: 'b' })]
    const live = new LiveSearch()
    const find = (tools: readonly SearchableTool[]) =>
      live.search(sortedTools(tools), { query: 'needle', scope: wholeScope(tools.length), most: 9 })
    expect(find([gone, stays]).tools).toEqual([gone])
    expect(find([stays])).toMatchObject({ tools: [], total: 0 })
    expect(live.suggest(sortedTools([stays]), 'a_needle', 9, () => true)).toEqual([])
    expect(find([gone, stays]).tools).toEqual([gone])
  })
})

describe('what is not in the scope', () => {
  test('changes neither the order, nor the total, nor the likeness of what is', () => {
    fc.assert(
      fc.property(list, fc.nat(4), fc.nat(4), fc.constantFrom(2, Number.POSITIVE_INFINITY), (tools, a, b, most) => {
        const has = (position: number): boolean => position % 5 === a || position % 5 === b
        const seen = tools.filter((_, position) => has(position))
        const live = new LiveSearch()
        for (const query of QUERIES) {
          const behind = live.search(sortedTools(tools), { query, scope: scopeOf(tools, has), most })
          const alone = new LiveSearch().search(sortedTools(seen), { query, scope: wholeScope(seen.length), most })
          expect(behind.tools).toEqual(alone.tools)
          expect([behind.total, behind.likeness]).toEqual([alone.total, alone.likeness])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('reading ahead', () => {
  const tools = Array.from({ length: 1200 }, (_, i) => sampleTool({ name: `tool_${String(i).padStart(4, '0')}` }))

  test.each(['search', 'suggest'] as const)(
    'for a %s lets others have their turn after each few tools',
    async (answer) => {
      let turns = 0
      const count = (): void => {
        turns++
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      await createSearchIndex(sortedTools(tools), new LiveSearch()).prepare(answer)
      clearImmediate(immediate)
      expect(turns).toBeGreaterThanOrEqual(5)
    },
  )

  test('changes no answer, and neither does a change of the list meanwhile', async () => {
    const live = new LiveSearch()
    const after = [...tools.slice(3, 9), ...tools.slice(11)]
    const ahead = createSearchIndex(sortedTools(tools), live).prepare('search')
    await createSearchIndex(sortedTools(after), live).prepare('search')
    await ahead
    for (const list of [after, tools]) {
      const request = { query: 'tool 0007', scope: wholeScope(list.length), most: 30 }
      expect(live.search(sortedTools(list), request)).toEqual(createSearchIndex(sortedTools(list)).search(request))
    }
  })

  test('ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    await expect(createSearchIndex(sortedTools(tools)).prepare('search', AbortSignal.abort(reason))).rejects.toBe(
      reason,
    )
    const stop = new AbortController()
    const ahead = createSearchIndex(sortedTools(tools), new LiveSearch()).prepare('suggest', stop.signal)
    stop.abort(reason)
    await expect(ahead).rejects.toBe(reason)
  })
})
