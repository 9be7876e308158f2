import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallboardError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { ArgumentCheck } from './argument-check.ts'

function definitionOf(inputSchema: JsonSchema, name = 'create_issue'): ToolDefinition {
  return { package: 'github', name, action: name, inputSchema }
}

/** A check, and the lines that it logs. */
function stage(): { check: ArgumentCheck; lines: string[] } {
  const lines: string[] = []
  const log = createLog(new Secrets(), 'info', { write: (line: string) => lines.push(line) })
  return { check: new ArgumentCheck(log), lines }
}

/** The message of the refusal; undefined when the arguments are taken. */
async function refusal(inputSchema: JsonSchema, args: unknown): Promise<string | undefined> {
  return message(stage().check, definitionOf(inputSchema), args)
}

async function message(check: ArgumentCheck, definition: ToolDefinition, args: unknown): Promise<string | undefined> {
  try {
    await check.check(definition, 'github_create_issue', args)
    return undefined
  } catch (error) {
    if (error instanceof CallboardError && error.code === 'invalid_arguments') return error.message
    throw error
  }
}

const issue: JsonSchema = {
  type: 'object',
  properties: {
    owner: { type: 'string' },
    repo: { type: 'string' },
    title: { type: 'string' },
    state: { enum: ['open', 'closed'] },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['owner', 'repo'],
  additionalProperties: false,
}
const all =
  'arguments: owner (string, required), repo (string, required), title (string), state ("open" or "closed"), labels (array of string)'
const circle = {
  type: 'object',
  properties: { kind: { const: 'circle' }, r: { type: 'number' } },
  required: ['kind', 'r'],
}
const square = {
  type: 'object',
  properties: { kind: { const: 'square' }, side: { type: 'number' } },
  required: ['kind'],
}
const shape = { oneOf: [circle, square] }
const textOrList = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
const node = { properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] }, v: { type: 'number' } } }

/** The schema of an argument `a` that is a list. */
const pair = (list: JsonSchema): JsonSchema => ({ properties: { a: { type: 'array', ...list } } })

describe('a refusal', () => {
  it('names the tool, each problem and the arguments there are', async () => {
    expect(await refusal(issue, { owner: 'x', title: 5 })).toBe(
      `invalid arguments for "github_create_issue": missing required "repo"; title: expected string, got number 5; ${all}`,
    )
  })

  it.each<[string, JsonSchema, unknown, string]>([
    [
      'an unknown argument',
      issue,
      { owner: 'a', repo: 'b', titel: 'x' },
      'unknown argument "titel", did you mean "title"?',
    ],
    ['one that is like no other', issue, { owner: 'a', repo: 'b', zzz: 'x' }, 'unknown argument "zzz";'],
    [
      'an unknown property',
      { properties: { f: { ...issue, required: [] } } },
      { f: { Repo: 1 } },
      'f: unknown property "Repo", did you mean "repo"?',
    ],
    [
      'the path to an item',
      issue,
      { owner: 'a', repo: 'b', labels: ['x', null] },
      'labels[1]: expected string, got null',
    ],
    [
      'a path of strange names',
      { properties: { 'x y': { items: { properties: { 'a/b~c': { type: 'string' } } } } } },
      { 'x y': [{ 'a/b~c': [1] }] },
      '["x y"][0]["a/b~c"]: expected string, got array of 1 item',
    ],
    [
      'the values of an enum',
      issue,
      { owner: 'a', repo: 'b', state: 'OPEN' },
      'state: expected "open" or "closed", got "OPEN"',
    ],
    [
      'lengths in characters',
      { properties: { a: { minLength: 3 } } },
      { a: 'é\u{1f600}' },
      'a: expected at least 3 characters, got string of 2 characters',
    ],
    ['bounds', { properties: { a: { exclusiveMinimum: 0 } } }, { a: 0 }, 'a: expected number > 0, got number 0'],
    [
      'patterns',
      { properties: { a: { pattern: '^[a-z]+$' } } },
      { a: 'A' },
      'a: expected text that matches ^[a-z]+$, got string of 1 character',
    ],
    [
      'a form that is clear by its type',
      { properties: { a: textOrList } },
      { a: [1] },
      ': a[0]: expected string, got number 1; arg',
    ],
    [
      'all forms where none is clear',
      { properties: { a: textOrList } },
      { a: 5 },
      ': a: expected string or array of string, got number 5; arg',
    ],
    [
      'a form that is clear by its tag',
      { properties: { shape } },
      { shape: { kind: 'circle', r: 'x' } },
      ': shape.r: expected number, got string of 1 character; arg',
    ],
    [
      'all tags where none fits',
      { properties: { shape } },
      { shape: { kind: 'hexagon' } },
      ': shape.kind: expected "circle" or "square", got "hexagon"; arg',
    ],
    [
      'the place in a recursive form',
      { properties: { node: { $ref: '#/$defs/node' } }, $defs: { node } },
      { node: { next: { next: { next: null, v: 'x' } } } },
      ': node.next.next.v: expected number, got string of 1 character; arg',
    ],
    [
      'more than one form',
      { properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } },
      { a: 3 },
      'a: fits several of the forms, expected only one',
    ],
    ['what goes together', { dependentRequired: { a: ['z'] } }, { a: 1 }, 'missing "z", which "a" needs'],
    [
      'items that are missing',
      { properties: { a: { contains: { type: 'string' } } } },
      { a: [1] },
      ': a: expected 1 or more items of string, got array of 1 item; arg',
    ],
    [
      'how long a list may be whose items are named one by one (draft-07)',
      pair({ items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }),
      { a: ['x', 1, true] },
      ': a: expected at most 2 items, got array of 3 items; arguments: a (array [string, number])',
    ],
    [
      'the same in 2020-12',
      pair({ prefixItems: [{ type: 'string' }], unevaluatedItems: false }),
      { a: ['x', 1] },
      ': a: expected at most 1 item, got array of 2 items; arguments: a (array [string])',
    ],
    [
      'which of such items is wrong',
      pair({ items: [{ type: 'string' }, { enum: [1, 2] }] }),
      { a: ['x', 3] },
      ': a[1]: expected 1 or 2, got number 3; arguments: a (array [string, 1 or 2, …])',
    ],
    [
      'a list that has to be empty',
      pair({ items: false }),
      { a: 'x' },
      ': a: expected empty array, got string of 1 character; arguments: a (empty array)',
    ],
    [
      'a list instead of arguments',
      issue,
      [],
      'invalid arguments for "github_create_issue": expected an object of arguments by name',
    ],
    [
      'arguments without end',
      {},
      JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      'they are nested deeper than 128 levels',
    ],
  ])('tells %s', async (_what, schema, args, words) => {
    expect(await refusal(schema, args)).toContain(words)
  })

  it('is of a bounded length', async () => {
    const names = Array.from({ length: 100 }, (_value, index) => `a${index}${'x'.repeat(60)}`)
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { enum: names }])) }
    const text = await refusal(schema, Object.fromEntries(names.map((name) => [name, 'y'])))
    expect(text).toContain('92 more problems')
    expect(text).toContain('; arguments: a0xxx')
    expect(text?.length).toBeLessThan(10_000)
  })

  it('holds no text of the arguments but of a choice, and comes for any of them', async () => {
    const { check } = stage()
    const definition = definitionOf({
      ...issue,
      // What was given where the schema names the choice is shown, so no choice is among these.
      properties: { ...Object(issue.properties), state: { type: 'string', maxLength: 3 }, textOrList, node },
      $defs: { node },
      additionalProperties: { type: 'string', maxLength: 3 },
    })
    const secret = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('§', '¤', '¶', '·') })
    const value = fc.jsonValue({ maxDepth: 3 }).chain((plain) => fc.constantFrom<unknown>(plain, [plain]))
    const name = fc.constantFrom(
      'owner',
      'repo',
      'title',
      'state',
      'labels',
      'textOrList',
      'node',
      'more',
      'kind',
      'next',
      'v',
    )
    const { args } = fc.letrec((tie) => ({
      args: fc.dictionary(name, fc.oneof(secret, value, tie('args'), fc.array(secret, { maxLength: 3 })), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
    }))
    await fc.assert(
      fc.asyncProperty(args, async (given) => {
        expect((await message(check, definition, given)) ?? '').not.toMatch(/[§¤¶·]/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a schema that is not usable', () => {
  const remote = definitionOf({ $ref: 'https://a.example/schema.json' })
  const report =
    'tool plugin:github:create_issue: its arguments are not checked: "$ref" "https://a.example/schema.json" leads out of the schema, and nothing is fetched'

  it('lets its tool work, and is reported once', async () => {
    const { check, lines } = stage()
    expect(await message(check, remote, { any: 'thing' })).toBeUndefined()
    expect(await message(check, remote, { other: 'thing' })).toBeUndefined()
    expect(check.reports()).toEqual([report])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"tool":"plugin:github:create_issue"')
  })

  it('is reported no more when the tool has a better one', async () => {
    const { check } = stage()
    await message(check, remote, {})
    expect(await message(check, definitionOf(issue), {})).toContain('missing required "owner"')
    expect(check.reports()).toEqual([])
  })

  it('in part is checked in the other parts, and reported', async () => {
    const { check } = stage()
    const partly = definitionOf({ properties: { a: { type: 'string', pattern: '^(?!x)' } } })
    expect(await message(check, partly, { a: 'x' })).toBeUndefined()
    expect(await message(check, partly, { a: 1 })).toContain('a: expected string')
    expect(check.reports()).toEqual([
      'tool plugin:github:create_issue: not checked in its schema: the pattern "^(?!x)": it looks around',
    ])
  })

  it('because a check of small arguments never ends is not tried again', async () => {
    const { check, lines } = stage()
    const endless = definitionOf({ anyOf: [{ $ref: '#' }, { $ref: '#' }] })
    expect(await message(check, endless, {})).toBeUndefined()
    expect(await message(check, endless, {})).toBeUndefined()
    expect(lines).toHaveLength(1)
    expect(check.reports()[0]).toContain('plugin:github:create_issue: its arguments are not checked')
  })

  it('for some arguments, since the code that Ajv makes of it trips, refuses those alone', async () => {
    const { check } = stage()
    const tripping = definitionOf({
      properties: {
        a: {
          patternProperties: { '^a': { type: 'string' } },
          oneOf: [{ type: 'string', allOf: [{ additionalProperties: { type: 'string' }, type: 'string' }, false] }],
        },
      },
    })
    for (let time = 0; time < 2; time += 1)
      expect(await message(check, tripping, { a: { a: 0 } })).toContain('they can\'t be checked, most of which is "a"')
    expect(await message(check, tripping, {})).toBeUndefined()
  })
})

describe('arguments that take too many steps to check', () => {
  const slow = definitionOf({
    properties: { a: { items: { enum: Array.from({ length: 2_000 }, (_value, index) => ({ index })) } } },
  })

  it('are refused with what is too large and the limit, and others of the same tool are checked', async () => {
    const { check } = stage()
    expect(await message(check, slow, { b: 'x', a: Array.from({ length: 5_000 }, () => 1) })).toMatch(
      /they can't be checked, most of which is "a" \(values: 5001, characters: 0\): a check takes more than 2000000 steps; send less/,
    )
    expect(check.reports()).toEqual([])
    expect(await message(check, slow, { a: [1] })).toContain('a[0]: expected {"index":0}')
  })

  it('are refused where they are small and the schema multiplies them, and do not switch the check off for others', async () => {
    const { check } = stage()
    const list = (name: string) => ({ type: 'array', items: { $ref: `#/$defs/${name}` } })
    const multiplying = definitionOf({
      properties: { x: { $ref: '#/$defs/a' }, n: { type: 'number' } },
      $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] }, b: { anyOf: [list('a'), list('a')] } },
    })
    let nested: unknown = [1]
    for (let depth = 0; depth < 30; depth += 1) nested = [nested]
    expect(await message(check, multiplying, { x: nested })).toContain("they can't be checked")
    expect(await message(check, multiplying, { n: 'x' })).toContain('n: expected number')
  })

  it('are not those with long texts, unless a pattern has to be matched against millions of characters', async () => {
    const { check } = stage()
    const pattern = '^[A-Za-z0-9+/]*={0,2}$'
    const file = definitionOf({
      properties: { plain: { type: 'string' }, measured: { maxLength: 50_000_000 }, matched: { pattern } },
    })
    const base64 = (bytes: number): string => 'QUJD'.repeat(bytes / 3)
    expect(await message(check, file, { plain: base64(45_000_000) })).toBeUndefined()
    expect(await message(check, file, { measured: base64(15_000_000) })).toBeUndefined()
    expect(await message(check, file, { matched: base64(1_500_000) })).toBeUndefined()
    expect(await message(check, file, { matched: `${base64(15_000)}!` })).toContain('matched')
    expect(await message(check, file, { matched: base64(15_000_000) })).toMatch(
      /can't be checked, most of which is "matched"/,
    )
  })
})

it('schemas are compiled once while they are in use, whatever others are called in between', async () => {
  const { check } = stage()
  let compiled = 0
  const definitions = Array.from({ length: 20 }, (_, index) =>
    definitionOf(
      {
        get properties() {
          compiled += 1
          return { a: { type: 'string' } }
        },
      },
      `tool-${index}`,
    ),
  )
  const callAll = () => Promise.all(definitions.map((definition) => message(check, definition, { a: 'x' })))
  await callAll()
  const once = compiled
  expect(once).toBeGreaterThanOrEqual(definitions.length)
  await callAll()
  await callAll()
  expect(compiled).toBe(once)
})

it('two tools may have schemas with the same id', async () => {
  const { check } = stage()
  const first = definitionOf({ $id: 'https://a.example/s', properties: { a: { type: 'string' } } }, 'first')
  const second = definitionOf({ $id: 'https://a.example/s', properties: { a: { type: 'number' } } }, 'second')
  expect(await message(check, first, { a: 'x' })).toBeUndefined()
  expect(await message(check, second, { a: 1 })).toBeUndefined()
  expect(await message(check, second, { a: 'x' })).toContain('expected number')
})

it('the short form of arguments is checked like a schema', async () => {
  const { check } = stage()
  const definition = {
    package: 'acme/hello',
    name: 'echo',
    action: 'echo',
    args: [{ name: 'message', type: 'string', required: true }],
  }
  expect(await message(check, definition, {})).toContain(
    'missing required "message"; arguments: message (string, required)',
  )
})

it('a schema is compiled at the first call, kept, and compiled again only after a thousand others', async () => {
  const { check } = stage()
  let read = 0
  const counted: ToolDefinition = {
    ...definitionOf({}),
    get inputSchema() {
      read += 1
      return issue
    },
  }
  await message(check, counted, {})
  const once = read
  expect(once).toBeGreaterThan(0)
  for (let call = 0; call < 5; call++) await message(check, counted, {})
  expect(read).toBe(once)
  for (let other = 0; other < 1_000; other++)
    await message(check, { ...definitionOf({ type: 'object' }), name: `t${other}` }, {})
  await message(check, counted, {})
  expect(read).toBeGreaterThan(once)
})
