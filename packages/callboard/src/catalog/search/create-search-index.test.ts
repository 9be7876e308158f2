import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../test/fixtures/longest-turn.ts'
import { type SampleTool, sampleTool } from '../testing/sample-tool.ts'
import { sortedTools } from '../tool-lists.ts'
import { createSearchIndex } from './create-search-index.ts'
import { LiveSearch, type LiveSearchOptions } from './live-search.ts'
import { wholeScope } from './whole-scope.ts'

const everything = (): boolean => true
const all = Number.POSITIVE_INFINITY

/** The public names that a search finds, best first. */
function search(tools: readonly SampleTool[], query: string): string[] {
  const sorted = tools.map(sampleTool).sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  const { tools: found, total } = createSearchIndex(sortedTools(sorted)).search({
    query,
    scope: wholeScope(sorted.length),
    most: all,
  })
  expect(total).toBe(found.length)
  return found.map(({ entry }) => entry.name)
}

function suggest(names: readonly (string | SampleTool)[], typed: string, limit = 5): string[] {
  const tools = names.map((name) => sampleTool(typeof name === 'string' ? { name } : name))
  const sorted = tools.sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
  return createSearchIndex(sortedTools(sorted))
    .suggest(typed, limit, everything)
    .map(({ entry }) => entry.name)
}

describe('the promised order', () => {
  const tools: SampleTool[] = [
    { name: 'z_read_file_z', description: '' },
    { name: 'a_tool', description: 'calls read_file' },
    { name: 'read-file', description: '' },
    { name: 'READ_FILE', description: '' },
    { name: 'pick', description: '', definition: { args: [{ name: 'file', type: 'string' }] } },
    { name: 'hidden-0a1b2c3d', declaredName: 'read.file', description: '' },
    { name: 'other', description: 'nothing of it' },
  ]

  test('is the name, the name with separators alike, the declared name, names, descriptions, the rest', () => {
    const order = ['READ_FILE', 'read-file', 'hidden-0a1b2c3d', 'z_read_file_z', 'a_tool', 'pick']
    expect(search(tools, 'read_file')).toEqual(order)
    expect(search(tools, ' Read_File\n')).toEqual(order)
  })

  test('has separators and spaces alike for a whole name', () => {
    expect(search(tools, 'read file').slice(0, 3).sort()).toEqual(['READ_FILE', 'hidden-0a1b2c3d', 'read-file'])
  })

  test('puts a namespaced name that was typed first', () => {
    expect(search(tools, 'plugin:acme:read.file')[0]).toBe('hidden-0a1b2c3d')
  })

  test('holds for a part of a word', () => {
    const found = search([{ name: 'b', description: 'a repository' }, { name: 'reposition' }, { name: 'x' }], 'reposi')
    expect(found).toEqual(['reposition', 'b'])
  })

  test('ranks inside a tier, and ties by name', () => {
    const found = search(
      [
        {
          name: 'a',
          description: 'many other words stand around the one word issue in a text that is about the weather',
        },
        { name: 'c', description: 'an issue' },
        { name: 'b', description: 'an issue' },
      ],
      'issue',
    )
    expect(found).toEqual(['b', 'c', 'a'])
  })
})

describe('relevance', () => {
  const tools: SampleTool[] = [
    { name: 'tracker_create_issue', description: 'Creates a ticket in the issue tracker of a project' },
    { name: 'tracker_list_issues', description: 'Lists the tickets of a project' },
    { name: 'mail_send', description: 'Sends a message to some people' },
    {
      name: 'weather_now',
      description: 'The weather at a place',
      definition: { args: [{ name: 'city', type: 'string' }] },
    },
    {
      name: 'convert',
      description: '',
      title: 'Currency converter',
      definition: { inputSchema: { properties: { amount: { description: 'how many euros' } } } },
    },
    { name: 'searchKeyword', description: '使用必应搜索指定的关键词', pluginId: 'bing', declaredName: 'k1' },
  ]

  test.each([
    ['open a bug in our tracker', 'tracker_create_issue'],
    ['please show me all the open tickets of this project', 'tracker_list_issues'],
    ['could you send an email to the people in my team?', 'mail_send'],
    ['is it raining in the city of Basel', 'weather_now'],
    ['how many euros is that', 'convert'],
    ['currency', 'convert'],
    ['必应搜索', 'searchKeyword'],
    ['ask bing', 'searchKeyword'],
  ])('"%s" finds the right tool first', (sentence, name) => {
    expect(search(tools, sentence)[0]).toBe(name)
  })

  test('other forms of a word are found, the same form first', () => {
    const found = search(
      [
        { name: 'a', description: 'lists a job' },
        { name: 'b', description: 'a list of jobs' },
      ],
      'jobs now',
    )
    expect(found).toEqual(['b', 'a'])
  })

  test('words that say nothing find nothing, unless a name is made of them', () => {
    const some = [{ name: 'who_am_i' }, { name: 'x', description: 'what the user is and who' }]
    expect(search(some, 'the of and')).toEqual([])
    expect(search(some, 'am i who')).toEqual(['who_am_i'])
  })

  test('a schema that is not as it should be is passed over', () => {
    const odd = [null, [], 'x', 7, { a: null, b: 'x', c: { description: 7 }, needle: {} }]
    const some = odd.map((properties, i) => ({ name: `t${i}`, definition: { inputSchema: { properties } } }))
    expect(search(some, 'needle please')).toEqual(['t4'])
  })
})

describe('a word that no tool has', () => {
  const tools: SampleTool[] = [
    { name: 'create_invoice', description: 'Makes a bill for a customer' },
    { name: 'archive_repository', description: 'Puts a repository away' },
    { name: 'list_colours', description: 'Says what there is' },
    { name: 'weather', description: 'Rain and sun' },
  ]

  test.each([
    ['make an invioce for somebody', 'create_invoice'],
    ['put the reposotory into the attic', 'archive_repository'],
    ['list my colors', 'list_colours'],
    ['make an invoic for my aunt', 'create_invoice'],
  ])('is taken for one that differs by a letter: "%s"', (query, name) => {
    expect(search(tools, query)[0]).toBe(name)
  })

  test('is not, if it has fewer than five letters or differs by more', () => {
    expect(search(tools, 'rian')).toEqual([])
    expect(search(tools, 'wetehr of tomorrow')).toEqual([])
  })

  test('is not, if a tool has it', () => {
    const found = search([...tools, { name: 'invioce', description: 'a word that is written like that' }], 'an invioce')
    expect(found).toEqual(['invioce'])
  })

  test('begins longer ones, if it is the last one and nothing stands after it', () => {
    expect(search(tools, 'an old archi')).toEqual(['archive_repository'])
    expect(search(tools, 'an archi.')).toEqual([])
  })
})

test('of a long query each clause finds its own tool', () => {
  const tools: SampleTool[] = [
    { name: 'fetch_page', description: 'Fetches the text of a web page' },
    { name: 'translate', description: 'Translates a text into another language' },
    { name: 'send_mail', description: 'Sends a mail to somebody' },
    ...Array.from({ length: 20 }, (_, i) => ({ name: `page_text_${i}`, description: 'The text on a page of a book' })),
  ]
  const query =
    'Fetch the page at the address I gave you, translate its text into French, and mail it to my colleague Ana'
  expect(search(tools, query).slice(0, 3).sort()).toEqual(['fetch_page', 'send_mail', 'translate'])
})

describe('how well the best match fits is told', () => {
  const tools = [
    { name: 'send_mail', description: 'Sends a mail to somebody' },
    { name: 'weather', description: 'Rain and sun' },
    { name: 'zettelkram', description: 'Ordnet den Zettelkram' },
  ].map(sampleTool)
  const likeness = (query: string, options?: LiveSearchOptions): number =>
    createSearchIndex(sortedTools(tools), new LiveSearch(options)).search({ query, scope: wholeScope(3), most: 9 })
      .likeness
  const wordsAlone = { vectors: () => undefined }

  test('by the words that it has', () => {
    expect(likeness('mail')).toBe(1)
    expect(likeness('send somebody a mail', wordsAlone)).toBeGreaterThan(0.9)
    expect(likeness('paint the garden fence blue, or mail', wordsAlone)).toBeLessThan(0.2)
    expect(likeness('paint the fence', wordsAlone)).toBe(0)
  })

  test('and by what they mean', () => {
    expect(likeness('send somebody a mail')).toBeGreaterThan(0.8)
    expect(likeness('an email message, sent')).toBeGreaterThan(likeness('a garden fence, sent') + 0.2)
  })

  test('by words alone where nothing is known of what they mean', () => {
    expect(likeness('zettelkram aufräumen')).toBeGreaterThan(0.3)
    expect(likeness('zettelkram aufräumen')).toBe(likeness('zettelkram aufräumen', wordsAlone))
  })

  test('and is no less for a long query that says more than one tool does', () => {
    const long = 'send a mail to somebody about my aunt, uncle, cousin, nephew, niece, godfather, neighbour and cat'
    expect(likeness(long, wordsAlone)).toBeGreaterThan(0.2)
  })
})

describe('any query', () => {
  test('of a million characters is answered within a second', () => {
    const tools = Array.from({ length: 500 }, (_, i) => ({ name: `tool_${i}`, description: 'a'.repeat(300) }))
    const index = createSearchIndex(sortedTools(tools.map(sampleTool)))
    const scope = wholeScope(tools.length)
    index.search({ query: 'warm', scope, most: 10 })
    for (const query of [
      'a'.repeat(1e6),
      'tool '.repeat(2e5),
      'read '.repeat(2e5),
      '\u{1f600}'.repeat(2.5e5),
      '_'.repeat(1e6),
    ]) {
      const start = processorMs()
      index.search({ query, scope, most: 10 })
      index.suggest(query, 10, everything)
      expect(processorMs() - start).toBeLessThan(1000)
    }
  })

  test('is answered for any catalogue, within a second and without a throw', () => {
    const odd = fc.constantFrom(
      '\ud800',
      'שלום',
      'مرحبا',
      '🎨👩‍👩‍👧',
      '.*+?^$(){}[]|\\',
      'हिन्दी',
      'ค้นหา',
      '検索',
      'İß',
      '\u202e',
      '\0',
    )
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(odd, { maxLength: 8 }).map((all) => all.join(' ')),
    )
    const tool = fc.record({ name: any, description: any, title: any, argument: any, tag: any })
    fc.assert(
      fc.property(fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 12 }), any, (drawn, query) => {
        const tools = drawn.map(({ argument, tag, ...entry }) => ({
          ...entry,
          definition: { args: [{ name: argument, type: 'string', description: tag }], tags: [tag] },
        }))
        const start = processorMs()
        for (const one of [query, ...tools.flatMap(({ name, description }) => [name, description])]) {
          const found = search(tools, one)
          expect(new Set(found).size).toBe(found.length)
          if (one.trim() === '') continue
          const lowered = one.trim().toLowerCase()
          const named = tools.filter(({ name }) => name.toLowerCase().includes(lowered)).map(({ name }) => name)
          expect(found).toEqual(expect.arrayContaining(named))
        }
        expect(processorMs() - start).toBeLessThan(1000)
      }),
      { numRuns: 300 },
    )
  })

  test('of ten thousand distinct words is answered within a second, by as many tools with as many words', () => {
    const word = (i: number): string => `w${i.toString(36)}x`
    const words = Array.from({ length: 10_000 }, (_, i) => word(i)).join(' ')
    const tools = Array.from({ length: 400 }, (_, i) => sampleTool({ name: word(i), description: `${words} ${i}` }))
    const index = createSearchIndex(sortedTools(tools.sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1))))
    const request = { scope: wholeScope(tools.length), most: 10 }
    index.search({ ...request, query: 'warm' })
    for (const query of [words, words.replaceAll('w', 'v'), `${words} and ${words}`]) {
      const start = processorMs()
      index.search({ ...request, query })
      expect(processorMs() - start).toBeLessThan(1000)
    }
  })

  test('is answered within a second for tools that are a megabyte each', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`argument${i}`, { description: `Number ${i} of very many` }]),
    )
    const texts = ['long '.repeat(2e5), 'é'.repeat(1e6), '漢字'.repeat(5e5), 'aB'.repeat(5e5), 'ก'.repeat(1e6)]
    for (const description of texts) {
      const tools = [sampleTool({ name: 'large', description, definition: { inputSchema: { properties } } })]
      const start = processorMs()
      const index = createSearchIndex(sortedTools(tools))
      for (const query of ['argument7', description]) {
        expect(index.search({ query, scope: wholeScope(1), most: 1 }).tools).toEqual(tools)
      }
      expect(processorMs() - start).toBeLessThan(1000)
    }
  })

  test('that means something in regular expressions is text', () => {
    const tools = [
      { name: 'a', description: 'matches .* and [a-z]+' },
      { name: 'b', description: 'anything' },
    ]
    expect(search(tools, '.*')).toEqual(['a'])
    expect(search(tools, '[a-z]+')).toEqual(['a'])
    expect(search(tools, '(((')).toEqual([])
  })

  test('in any script is found in descriptions', () => {
    const tools = [
      { name: 'a', description: 'Ein GRÖßERES Bild 🎨' },
      { name: 'b', description: 'Найти файл' },
    ]
    expect(search(tools, 'grössere')).toEqual([])
    expect(search(tools, 'größere')).toEqual(['a'])
    expect(search(tools, '🎨')).toEqual(['a'])
    expect(search(tools, 'ФАЙЛ')).toEqual(['b'])
    expect(search(tools, '\u0000')).toEqual([])
    expect(search(tools, '\ud800')).toEqual([])
  })

  test('is answered for tools that share their declared name and description', () => {
    const twins = ['a', 'b', 'c'].map((id) => ({
      name: `${id}_find`,
      pluginId: id,
      declaredName: 'find',
      description: 'Find',
    }))
    expect(search(twins, 'find')).toEqual(['a_find', 'b_find', 'c_find'])
  })
})

const letters = fc.constantFrom('a', 'b', 'B', '_', '-', ' ', '.')
const text = fc.string({ unit: letters, maxLength: 8 })
const catalogue = fc.uniqueArray(
  fc.record({ name: fc.string({ unit: letters, minLength: 1, maxLength: 5 }), description: text }),
  {
    selector: ({ name }) => name,
    maxLength: 12,
  },
)

/**
 * The tier that the promise gives a tool: 1 literal, 2 alike, 3 declared, 4 in the name, 5 in the description, 6 none
 * of these.
 */
function promisedTier({ name, description = '', declaredName = name }: SampleTool, query: string): number {
  const wanted = query.trim().toLowerCase()
  const alike = (one: string): string =>
    one
      .toLowerCase()
      .split(/[_\-./ ]+/)
      .filter(Boolean)
      .join(' ')
  if (name.toLowerCase() === wanted) return 1
  if (alike(name) === alike(wanted)) return 2
  if (alike(declaredName) === alike(wanted)) return 3
  if (name.toLowerCase().includes(wanted)) return 4
  return description.toLowerCase().includes(wanted) ? 5 : 6
}

test('whatever is searched, each match comes once, tier after tier, and nothing promised is missing', () => {
  fc.assert(
    fc.property(catalogue, text, (tools, query) => {
      fc.pre(query.trim() !== '')
      const found = search(tools, query)
      expect(new Set(found).size).toBe(found.length)
      const tiers = found.map((name) => promisedTier(tools.find((tool) => tool.name === name) ?? { name }, query))
      expect(tiers).toEqual(tiers.toSorted())
      const promised = tools.filter((tool) => promisedTier(tool, query) < 6).map(({ name }) => name)
      expect(found).toEqual(expect.arrayContaining(promised))
      expect(search(tools.toReversed(), query)).toEqual(found)
    }),
    { numRuns: 500 },
  )
})

describe('suggestions', () => {
  const names = ['files_read', 'files_write', 'github_create_issue', 'github_list_pull_requests', 'echo']

  test.each([
    ['files.raed', 'files_read'],
    ['file_reed', 'files_read'],
    ['FilesRead', 'files_read'],
    ['github_creat_isue', 'github_create_issue'],
    ['issue_create_github', 'github_create_issue'],
    ['ecko', 'echo'],
    ['plugin:acme:ecko', 'echo'],
  ])('"%s" is answered with %s first', (typed, name) => {
    expect(suggest(names, typed)[0]).toBe(name)
  })

  test('know the declared name as well', () => {
    const tools = [...names, { name: 'gh_make_issue-0a1b2c3d', declaredName: 'make_ticket' }]
    expect(suggest(tools, 'make_tiket')[0]).toBe('gh_make_issue-0a1b2c3d')
  })

  test('are none for what is like nothing', () => {
    for (const typed of ['', ' ', 'zzzzzzzzzz', '🎨🎨🎨', '___', '(((']) expect(suggest(names, typed)).toEqual([])
  })

  test('are at most as many as asked for, ties by name', () => {
    const many = Array.from({ length: 300 }, (_, i) => `tool_${String(i).padStart(3, '0')}`)
    expect(suggest(many, 'tool_00', 3)).toEqual(['tool_000', 'tool_001', 'tool_002'])
    expect(suggest(many, 'tool_00', 0)).toEqual([])
  })

  test('are found among more names that have the same letters than are compared', () => {
    const many = Array.from({ length: 3000 }, (_, i) => `copy_${'ab'.repeat(10)}_${i}`)
    expect(suggest([...many, 'zzz_echo_tool'], 'zzz_eco_tool', 1)).toEqual(['zzz_echo_tool'])
    expect(suggest(many, `copy_${'ab'.repeat(10)}_`, 1)[0]).toMatch(/_\d$/)
  })

  test('leave out what is not accepted', () => {
    const tools = ['files_read', 'files_reads'].map((name) => sampleTool({ name }))
    expect(createSearchIndex(sortedTools(tools)).suggest('files_red', 5, (position) => position === 1)).toEqual([
      tools[1],
    ])
  })
})
