/** The table of public names: single cases of the design, and properties against a plain model of its rules. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NamedTool, NameTable, type Renaming } from './name-table.ts'
import {
  HASH_DIGITS,
  hashedName,
  isPlainNameUsable,
  MIN_NAME_LENGTH,
  namespacedName,
  sanitizeToolName,
} from './names.ts'

const RESERVED: ReadonlyMap<string, string> = new Map([['list_mcp_tools', 'plugin:callboard:list_mcp_tools']])
/** Two declared names of plugin `p` with the plain name `x`, whose SHA-256 begins with the same eight digits. */
const TWINS = ['x.:::.:...:::.:...', 'x..::..:::.::..::.'] as const

function tool(pluginId: string, declaredName: string, prefix = ''): NamedTool {
  return { namespacedName: namespacedName(pluginId, declaredName), prefix, declaredName }
}

function tableOf(tools: Iterable<NamedTool>, maxLength = 48): NameTable {
  const table = new NameTable({ maxLength, reserved: RESERVED })
  table.update({ add: tools })
  return table
}

/** The public names of the tools, each of which has to be found by its name. */
function namesOf(table: NameTable, tools: Iterable<NamedTool>): Map<string, string | undefined> {
  const names = new Map([...tools].map(({ namespacedName: key }) => [key, table.publicName(key)]))
  for (const [key, name = ''] of names) expect([table.resolve(name), table.resolve(key)]).toEqual([key, key])
  return names
}

/** The hashed name that a tool has or would have. */
function hashOf({ prefix, declaredName, namespacedName: key }: NamedTool, maxLength = 48, digits = 8): string {
  return hashedName(sanitizeToolName(prefix + declaredName), key, digits, maxLength)
}

describe('a single tool', () => {
  test('has its plain name', () => {
    const echo = tool('acme/hello', 'acme.hello.echo', 'plugin:acme/hello:')
    expect(tableOf([echo]).publicName(echo.namespacedName)).toBe('plugin-acme-hello-acme-hello-echo')
  })

  test('has a hashed name when the plain one is too long by one character', () => {
    const [fits, long] = [tool('p', 'a'.repeat(48)), tool('p', 'b'.repeat(49))]
    const table = tableOf([fits, long])
    expect(table.publicName(fits.namespacedName)).toBe('a'.repeat(48))
    expect(table.publicName(long.namespacedName)).toBe(hashOf(long))
    expect(table.clashes()).toEqual([])
  })

  test.each(['搜索', '🎉', '...', '-'])(
    'has a hashed name when nothing is left of its declared name %j',
    (declared) => {
      const search = tool('github', declared, 'github_')
      expect(tableOf([search]).publicName(search.namespacedName)).toMatch(/^github_-[0-9a-f]{8}$/)
    },
  )

  test('is found by its public and its namespaced name and by no other', () => {
    const table = tableOf([tool('a:b', 'c'), tool('github', 'create.issue', 'github_')])
    const key = 'plugin:github:create.issue'
    expect(table.resolve('github_create-issue')).toBe(key)
    expect(table.resolve(key)).toBe(key)
    for (const name of ['create.issue', 'create-issue', 'github_create.issue', 'plugin:github:create-issue', ''])
      expect(table.resolve(name)).toBeUndefined()
  })

  test('is passed over when it is taken out without having been there', () => {
    const table = tableOf([tool('p', 'a')])
    expect(table.update({ remove: ['plugin:p:b'] })).toEqual([])
    expect(table.publicName('plugin:p:b')).toBeUndefined()
  })
})

describe('a clash', () => {
  const [one, two] = [tool('acme', 'create'), tool('globex', 'create')]

  test('gives each of two tools of one plain name a hashed name, and the plain name to nobody', () => {
    const table = tableOf([one])
    const renamings = table.update({ add: [two] })
    expect(renamings).toEqual([
      { namespacedName: one.namespacedName, from: 'create', to: hashOf(one) },
    ] satisfies Renaming[])
    expect(table.publicName(two.namespacedName)).toBe(hashOf(two))
    expect(table.resolve('create')).toBeUndefined()
    expect(table.losersOf('create')).toEqual([one.namespacedName, two.namespacedName])
    expect(table.clashes()).toEqual([{ plainName: 'create', losers: [one.namespacedName, two.namespacedName] }])
  })

  test('ends when the partner goes: the plain name comes back', () => {
    const table = tableOf([one, two])
    const renamings = table.update({ remove: [two.namespacedName] })
    expect(renamings).toEqual([{ namespacedName: one.namespacedName, from: hashOf(one), to: 'create' }])
    expect(table.resolve('create')).toBe(one.namespacedName)
    expect(table.resolve(hashOf(one))).toBeUndefined()
    expect(table.losersOf('create')).toEqual([])
    expect(table.clashes()).toEqual([])
  })

  test('of three tools goes on when one goes', () => {
    const three = tool('initech', 'create')
    const table = tableOf([one, two, three])
    expect(table.update({ remove: [three.namespacedName] })).toEqual([])
    expect(table.clashes()).toEqual([{ plainName: 'create', losers: [one.namespacedName, two.namespacedName] }])
  })

  test('of names that are equal only once they are made legal is one too', () => {
    const [dot, slash] = [tool('p', 'a.b'), tool('p', 'a/b')]
    const table = tableOf([dot, slash])
    expect([dot, slash].map(({ namespacedName: key }) => table.publicName(key))).toEqual([hashOf(dot), hashOf(slash)])
  })

  test('is not there between names that differ in case', () => {
    expect(tableOf([tool('p', 'a'), tool('p', 'A')]).clashes()).toEqual([])
  })

  test('that comes and goes in one step renames nobody', () => {
    const table = tableOf([one])
    expect(table.update({ add: [two, tool('globex', 'other')], remove: [] })).toHaveLength(1)
    expect(table.update({ remove: [two.namespacedName], add: [two] })).toEqual([])
    expect(table.publicName(one.namespacedName)).toBe(hashOf(one))
  })

  test('is over when the partner gets another prefix', () => {
    const table = tableOf([one, two])
    table.update({ add: [{ ...two, prefix: 'globex_' }] })
    expect(table.publicName(one.namespacedName)).toBe('create')
    expect(table.publicName(two.namespacedName)).toBe('globex_create')
  })
})

describe('a reserved name', () => {
  const own = tool('callboard', 'list_mcp_tools')
  const other = tool('acme', 'list_mcp_tools')

  test('stays with its owner, and whoever else claims it has a hashed name', () => {
    for (const tools of [
      [own, other],
      [other, own],
    ]) {
      const table = tableOf(tools)
      expect(table.publicName(own.namespacedName)).toBe('list_mcp_tools')
      expect(table.publicName(other.namespacedName)).toBe(hashOf(other))
      expect(table.resolve('list_mcp_tools')).toBe(own.namespacedName)
      expect(table.clashes()).toEqual([
        { plainName: 'list_mcp_tools', losers: [other.namespacedName], holder: own.namespacedName },
      ])
    }
  })

  test('is kept for its owner while that is not there', () => {
    const table = tableOf([other])
    expect(table.publicName(other.namespacedName)).toBe(hashOf(other))
    expect(table.resolve('list_mcp_tools')).toBeUndefined()
  })

  test('stays with its owner when two others claim it and one of them goes', () => {
    const third = tool('globex', 'list_mcp_tools')
    const table = tableOf([other, own, third])
    expect(table.update({ remove: [third.namespacedName] })).toEqual([])
    expect(table.resolve('list_mcp_tools')).toBe(own.namespacedName)
  })

  test('is not given as a hashed name either', () => {
    const long = tool('p', 'l'.repeat(60))
    const table = new NameTable({ maxLength: 48, reserved: new Map([[hashOf(long), 'plugin:callboard:odd']]) })
    table.update({ add: [long] })
    expect(table.publicName(long.namespacedName)).toBe(hashOf(long, 48, HASH_DIGITS.long))
  })
})

describe('a plain name that is the hashed name of another tool', () => {
  const create = tool('acme', 'create')
  const lookalike = tool('globex', hashOf(create))

  test('is not given, whether the other tool needs its hash or not and whoever comes first', () => {
    for (const tools of [
      [create, lookalike],
      [lookalike, create],
    ]) {
      const table = tableOf(tools)
      expect(table.publicName(create.namespacedName)).toBe('create')
      expect(table.publicName(lookalike.namespacedName)).toBe(hashOf(lookalike))
      expect(table.clashes()).toEqual([
        { plainName: lookalike.declaredName, losers: [lookalike.namespacedName], holder: create.namespacedName },
      ])
    }
  })

  test('comes back when the other tool goes', () => {
    const table = tableOf([create, lookalike])
    expect(table.update({ remove: [create.namespacedName] })).toHaveLength(1)
    expect(table.resolve(lookalike.declaredName)).toBe(lookalike.namespacedName)
  })

  test('leaves the other tool its hashed name once it needs one', () => {
    const table = tableOf([lookalike, create])
    table.update({ add: [tool('initech', 'create')] })
    expect(table.resolve(hashOf(create))).toBe(create.namespacedName)
  })

  test('is given where a name only ends like a hash', () => {
    const report = tool('acme', 'report-20261130')
    const table = tableOf([tool('acme', 'report'), report])
    expect(table.publicName(report.namespacedName)).toBe('report-20261130')
  })

  test('is not given for a tool whose long name was cut either', () => {
    const long = tool('acme', `long_${'name_'.repeat(60)}`)
    const copy = tool('globex', hashOf(long))
    for (const tools of [
      [long, copy],
      [copy, long],
    ])
      expect(tableOf(tools).publicName(copy.namespacedName)).toBe(hashOf(copy))
  })
})

test('a clash names the same holder whichever of two equal hashed names came first', () => {
  const twins = TWINS.map((declared) => tool('p', declared))
  const copy = tool('copy', hashOf(tool('p', TWINS[0])))
  const clashes = [
    [...twins, copy],
    [copy, ...twins.toReversed()],
  ].map((tools) => tableOf(tools).clashes())
  expect(clashes[0]).toEqual(clashes[1])
})

describe('two equal hashed names', () => {
  const [first, second] = [tool('p', TWINS[0]), tool('p', TWINS[1])]

  test('are both made longer, and shorter again when one tool goes but the clash stays', () => {
    expect(hashOf(first)).toBe(hashOf(second))
    const table = tableOf([first, second, tool('p', 'x')])
    expect(table.publicName(first.namespacedName)).toBe(hashOf(first, 48, HASH_DIGITS.long))
    expect(table.publicName(second.namespacedName)).toBe(hashOf(second, 48, HASH_DIGITS.long))
    expect(table.resolve(hashOf(first))).toBeUndefined()
    table.update({ remove: [second.namespacedName] })
    expect(table.publicName(first.namespacedName)).toBe(hashOf(first))
  })
})

test.each([MIN_NAME_LENGTH - 1, 0, -1, 129, 40.5, Number.NaN])(
  'a maxLength of %d is refused with the limits',
  (maxLength) => {
    expect(() => new NameTable({ maxLength })).toThrow(/names\.maxLength is .*from 32 to 128/)
  },
)

/** What the class says of the names, tool by tool and without regard to time. */
function modelNames(tools: readonly NamedTool[], maxLength: number): Map<string, string> {
  const plain = (one: NamedTool) => sanitizeToolName(one.prefix + one.declaredName)
  const claims = (one: NamedTool) => isPlainNameUsable(plain(one), one.declaredName, maxLength)
  const needsHash = (one: NamedTool) => {
    if (!claims(one)) return true
    const owner = RESERVED.get(plain(one))
    if (owner !== undefined) return owner !== one.namespacedName
    return tools.some(
      (other) =>
        other !== one &&
        ((claims(other) && plain(other) === plain(one)) ||
          [HASH_DIGITS.short, HASH_DIGITS.long].some((digits) => hashOf(other, maxLength, digits) === plain(one))),
    )
  }
  const hashed = tools.filter(needsHash)
  const nameOf = (one: NamedTool) => {
    if (!hashed.includes(one)) return plain(one)
    const short = hashOf(one, maxLength)
    const shared = hashed.some((other) => other !== one && hashOf(other, maxLength) === short)
    return hashOf(one, maxLength, shared || RESERVED.has(short) ? HASH_DIGITS.long : HASH_DIGITS.short)
  }
  return new Map(tools.map((one) => [one.namespacedName, nameOf(one)]))
}

/** Tools that clash often: few plugins, few names, every kind of oddity, and copies of all their hashed names. */
const POOL: readonly NamedTool[] = (() => {
  const odd = ['', '搜索', '🎉', '-', 'list_mcp_tools', '\ud800', '\ud801', '__proto__', 'y'.repeat(300)]
  const stem = 'long-name-'.repeat(5)
  const declared = [...odd, ...TWINS, 'x', 'x.', 'a.b', 'a/b', 'a-b', stem, `${stem}1`, `${stem}2`, 'search-deadbeef']
  const plugins = ['p', 'callboard', 'acme/hello', 'p_']
  const natural = plugins.flatMap((id) => declared.flatMap((name) => [tool(id, name), tool(id, name, `${id}_`)]))
  const copies = natural.flatMap((one) =>
    [32, 48].flatMap((max) =>
      [HASH_DIGITS.short, HASH_DIGITS.long].map((digits) => tool('copy', hashOf(one, max, digits))),
    ),
  )
  return [...natural, ...copies]
})()

/** Half of the time a tool and copies of its hashed names, so that these meet. */
const someTools = fc
  .uniqueArray(fc.oneof(fc.nat(POOL.length - 1), fc.nat(30), fc.integer({ min: 160, max: 200 })), {
    maxLength: 25,
    size: 'max',
  })
  .map((indices) => new Map(indices.flatMap((at) => POOL[at] ?? []).map((one) => [one.namespacedName, one])))
  .map((byName) => [...byName.values()])
const someLength = fc.constantFrom(32, 33, 48, 64, 128)
const manyRuns = { numRuns: 200 }

describe('whatever the tools', () => {
  test('names are those of the rules, legal and unique, and each is found by its name', () => {
    fc.assert(
      fc.property(someTools, someLength, (tools, maxLength) => {
        const table = tableOf(tools, maxLength)
        const names = namesOf(table, tools)
        expect(names).toEqual(modelNames(tools, maxLength))
        expect(new Set(names.values()).size).toBe(tools.length)
        for (const name of names.values()) expect(name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${maxLength}}$`))
      }),
      manyRuns,
    )
  })

  test('names do not depend on the order or the steps in which the tools came', () => {
    const shuffled = someTools.chain((tools) =>
      fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length }), fc.nat(tools.length)),
    )
    fc.assert(
      fc.property(shuffled, someLength, ([tools, others, cut], maxLength) => {
        const table = tableOf(others.slice(0, cut), maxLength)
        for (const one of others.slice(cut)) table.update({ add: [one] })
        const once = tableOf(tools, maxLength)
        expect(namesOf(table, tools)).toEqual(namesOf(once, tools))
        expect(table.clashes()).toEqual(once.clashes())
      }),
      manyRuns,
    )
  })

  test('a table from which tools have gone is like one that never had them, then and later', () => {
    fc.assert(
      fc.property(someTools, someTools, someTools, someLength, (first, passing, later, maxLength) => {
        const table = tableOf(first, maxLength)
        for (const one of passing) table.update({ add: [one] })
        for (const { namespacedName: key } of passing) table.update({ remove: [key] })
        const gone = new Set(passing.map(({ namespacedName: key }) => key))
        const staying = first.filter(({ namespacedName: key }) => !gone.has(key))
        for (const more of [[], later]) {
          const tools = new Map([...staying, ...more].map((one) => [one.namespacedName, one])).values().toArray()
          table.update({ add: more })
          const fresh = tableOf(tools, maxLength)
          expect(namesOf(table, tools)).toEqual(namesOf(fresh, tools))
          expect(table.clashes()).toEqual(fresh.clashes())
          for (const one of POOL) {
            const hashed = hashOf(one, maxLength)
            expect(table.resolve(hashed)).toBe(fresh.resolve(hashed))
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  test('the lost names are those of the clashes after each change, and one map while they stay the same', () => {
    fc.assert(
      fc.property(someTools, fc.array(fc.tuple(someTools, fc.nat(5)), { maxLength: 5 }), (first, steps) => {
        const table = tableOf(first)
        for (const [add, removed] of steps) {
          const before = table.lostNames
          const old = [...before]
          table.update({ remove: first.slice(0, removed).map(({ namespacedName: key }) => key), add })
          const lost = new Map(table.clashes().map(({ plainName, losers }) => [plainName, losers]))
          expect(table.lostNames).toEqual(lost)
          expect([...before]).toEqual(old)
          const isSame = JSON.stringify([...lost]) === JSON.stringify([...before].sort(([a], [b]) => (a < b ? -1 : 1)))
          expect(table.lostNames === before).toBe(isSame)
        }
      }),
      manyRuns,
    )
  })

  test('a change tells exactly the other tools whose names it changed, and these all had or have a hash', () => {
    fc.assert(
      fc.property(someTools, someTools, someLength, (before, added, maxLength) => {
        const table = tableOf(before, maxLength)
        const removed = before.slice(0, 3).map(({ namespacedName: key }) => key)
        const touched = new Set([...removed, ...added.map(({ namespacedName: key }) => key)])
        const others = before.filter(({ namespacedName: key }) => !touched.has(key))
        const old = namesOf(table, others)
        const renamings = table.update({ remove: removed, add: added })
        const now = namesOf(table, others)
        const expected = [...old].flatMap(([key, from]) => {
          const to = now.get(key)
          return from === to ? [] : [{ namespacedName: key, from, to }]
        })
        expect(new Set(renamings)).toEqual(new Set(expected))
        for (const { from, to } of renamings) expect(`${from} ${to}`).toMatch(/-([0-9a-f]{8}|[0-9a-f]{30})( |$)/)
      }),
      manyRuns,
    )
  })

  test('a tool that is renamed had or has a partner: it lost a plain name, or its hash is shared', () => {
    fc.assert(
      fc.property(someTools, someTools, (before, added) => {
        const table = tableOf(before)
        const lost = new Set(table.clashes().flatMap(({ losers }) => losers))
        const renamings = table.update({ add: added })
        for (const { losers } of table.clashes()) for (const key of losers) lost.add(key)
        for (const { namespacedName: key, from, to } of renamings)
          expect(lost.has(key) || from.length !== to.length).toBe(true)
      }),
      manyRuns,
    )
  })
})
