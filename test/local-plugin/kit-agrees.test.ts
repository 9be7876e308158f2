/** The SDK's testing kit says of a call what a host says of the same call. */
import { definePlugin, error, json, tool } from '@callboard/sdk'
import { type RunOutcome, testPlugin } from '@callboard/sdk/testing'
import type { Progress, ToolResult } from 'callboard'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type OpenHost, openHost } from './open-host.ts'

const ANSWERS: readonly unknown[] = [
  'text',
  42,
  true,
  { rows: [1, { a: null }] },
  [1, 2],
  json({ a: 1 }),
  error('no'),
  { content: [{ type: 'hologram' }], _meta: { a: 1 } },
  { content: ['x'] },
  undefined,
  null,
  Number.NaN,
  1n,
]

const plugin = definePlugin({
  id: 'acme/lab',
  tools: [
    tool({
      name: 'acme.lab.zod',
      permission: 'acme.lab.use',
      args: z
        .strictObject({
          name: z.string().min(2).max(5),
          count: z.int().min(0).max(10).default(1),
          kind: z.enum(['a', 'b']).optional(),
          nested: z.object({ list: z.array(z.number()).max(3) }).optional(),
        })
        .refine(({ name, count }) => name.length >= count, { path: ['count'], message: 'more than the name is long' }),
      run: (args) => args,
    }),
    tool({
      name: 'acme.lab.list',
      args: [
        { name: 'text', type: 'string', required: true },
        { name: 'number', type: 'number' },
        { name: 'integer', type: 'integer' },
        { name: 'flag', type: 'boolean' },
        { name: 'object', type: 'object' },
        { name: 'array', type: 'array' },
      ],
      run: (args) => ({ ...args }),
    }),
    tool({
      name: 'acme.lab.schema',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', pattern: '^[a-z]{2,4}$' },
          price: { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0 },
          tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 1 },
          choice: { oneOf: [{ type: 'string', maxLength: 2 }, { type: 'integer' }, { $ref: '#/$defs/leaf' }] },
          mail: { type: 'string', format: 'email' },
          toString: { type: 'string' },
        },
        required: ['id'],
        dependentRequired: { price: ['tags'] },
        additionalProperties: { type: 'null' },
        $defs: { leaf: { type: 'object', required: ['leaf'], properties: { leaf: { $ref: '#/$defs/leaf' } } } },
      },
      run: (args) => json(args),
    }),
    tool({
      name: 'acme.lab.draft7',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { pair: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } },
        dependencies: { a: ['b'] },
      },
      run: (args) => json(args),
    }),
    tool({
      name: 'acme.lab.answer',
      permission: 'acme.lab.answer',
      args: [{ name: 'which', type: 'integer', required: true }],
      run: ({ which }, { progress }) => {
        progress({ progress: which })
        if (which < 0) throw new Error(`less than nothing: ${which}`)
        return ANSWERS[which]
      },
    }),
    tool({
      name: 'acme.lab.who',
      surfaces: ['mcp'],
      run: (_args, { user, catalog }) => `${user} of ${catalog.catalogCount('acme/lab')}`,
    }),
    tool({ name: 'acme.lab.cli', surfaces: ['cli'], run: () => 'on the command line' }),
    tool({ name: 'acme.lab.nowhere', surfaces: [], run: () => 'nowhere' }),
    tool({
      name: 'acme.lab.data',
      outputSchema: { type: 'object' },
      args: [{ name: 'give', type: 'boolean' }],
      run: ({ give }) => (give ? { a: 1 } : 'a'),
    }),
    tool({
      name: 'acme.lab.shaped',
      outputSchema: {
        type: 'object',
        properties: {
          rows: { type: 'array', items: { $ref: '#/$defs/row' } },
          kind: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
        },
        required: ['rows'],
        additionalProperties: false,
        $defs: { row: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } } },
      },
      inputSchema: { type: 'object' },
      run: (args) => ({ ...args }),
    }),
    tool({ name: 'acme.lab.none', run: () => 'took nothing' }),
  ],
})

const users = {
  ana: ['acme.lab.*', 'acme/lab.*', 'acme.lab.acme.lab.*'],
  ben: ['*.use', 'cli.access'],
  cleo: ['cli*', 'acme.*.answer', 'acme.lab.acme.*.cli'],
  dan: [],
  eve: ['*acme.lab.use*', 'acme.**lab.answer'],
}
const kit = testPlugin(plugin, { users })

interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly user: string
  readonly surface: 'mcp' | 'cli'
}
interface Ending {
  readonly outcome: RunOutcome
  readonly result: ToolResult | undefined
  readonly progress: readonly Progress[]
}

async function inHost({ host }: OpenHost, { name, args, user, surface }: Call): Promise<Ending> {
  const progress: Progress[] = []
  const outcomes: string[] = []
  const stop = host.onCall(({ outcome }) => outcomes.push(outcome))
  const request = { name: `plugin:acme/lab:${name}`, arguments: args, user, surface }
  const result = await host.invoker
    .run({ ...request, onProgress: (step) => void progress.push(step) })
    .catch(() => undefined)
  stop()
  const outcome = outcomes.join()
  return { outcome: (outcome === 'upstream_error' ? 'failed' : outcome) as RunOutcome, result, progress }
}

async function inKit({ name, args, user, surface }: Call): Promise<Ending> {
  const { outcome, result, progress } = await kit.call(name, args, { user, surface })
  return { outcome, result, progress }
}

const anything = fc.jsonValue({ maxDepth: 3 })
const nothing = fc.constant<unknown>({})
const leaf = fc.letrec((tie) => ({ leaf: fc.record({ leaf: tie('leaf') }, { requiredKeys: [] }) })).leaf

/** Arguments that are near to what each tool takes, so that they are met from both sides. */
const own: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'acme.lab.zod': fc.record(
    {
      name: fc.oneof(fc.string({ maxLength: 6 }), fc.stringMatching(/^[a-z]{2,5}$/)),
      count: fc.oneof(fc.integer({ min: -1, max: 11 }), anything),
      kind: fc.constantFrom('a', 'b', 'c', 1),
      nested: fc.record({ list: fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 4 }) }),
      more: fc.constant(1),
    },
    { requiredKeys: ['name'] },
  ),
  'acme.lab.list': fc.record(
    {
      text: fc.string(),
      number: fc.oneof(fc.double(), anything),
      integer: fc.oneof(fc.double(), fc.integer()),
      flag: fc.oneof(fc.boolean(), anything),
      object: fc.oneof(fc.dictionary(fc.string(), anything), anything),
      array: fc.oneof(fc.array(anything), anything),
      more: anything,
    },
    { requiredKeys: ['text'] },
  ),
  'acme.lab.schema': fc.record(
    {
      id: fc.oneof(fc.stringMatching(/^[a-z]{1,5}$/), fc.string()),
      price: fc.oneof(
        fc.integer({ min: -1, max: 500 }).map((cents) => cents / 100),
        fc.double(),
      ),
      tags: fc.array(fc.constantFrom('x', 'y', 'z', 1), { maxLength: 3 }),
      choice: fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), leaf, anything),
      mail: fc.string(),
      other: fc.constantFrom(null, 1),
    },
    { requiredKeys: ['id'] },
  ),
  'acme.lab.draft7': fc.record(
    {
      pair: fc.oneof(fc.tuple(fc.string(), fc.integer()), fc.array(anything, { maxLength: 3 })),
      a: anything,
      b: anything,
    },
    { requiredKeys: [] },
  ),
  'acme.lab.answer': fc.record({ which: fc.integer({ min: -1, max: ANSWERS.length }) }),
  'acme.lab.data': fc.record({ give: fc.boolean() }),
  'acme.lab.shaped': fc.record(
    {
      rows: fc.array(fc.record({ total: fc.oneof(fc.integer(), fc.constant(null)) }, { requiredKeys: [] }), {
        maxLength: 2,
      }),
      kind: fc.oneof(fc.string({ maxLength: 3 }), fc.constant(null), fc.boolean()),
      more: fc.constant(1),
    },
    { requiredKeys: ['rows'] },
  ),
}
const args = fc.oneof(...Object.values(own), fc.dictionary(fc.string(), anything))
const call = fc
  .constantFrom(...plugin.tools.map(({ definition }) => definition.name), 'acme.lab.unknown')
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      args: fc.oneof({ weight: 4, arbitrary: own[name] ?? nothing }, { weight: 1, arbitrary: args }),
      user: fc.constantFrom('owner', 'owner', 'owner', 'ana', 'ben', 'cleo', 'dan', 'eve', 'nobody'),
      surface: fc.constantFrom('mcp', 'mcp', 'cli'),
    }),
  ) as fc.Arbitrary<Call>

/** A host with the plugin and the users of the kit. */
function openLab(): Promise<OpenHost> {
  const people = Object.fromEntries(Object.keys(users).map((user) => [user, { roles: [user] }]))
  return openHost([plugin], { roles: users, users: people })
}

test.each<[ending: RunOutcome, Call]>([
  ['ok', { name: 'acme.lab.zod', args: { name: 'abc' }, user: 'ben', surface: 'mcp' }],
  ['ok', { name: 'acme.lab.cli', args: {}, user: 'cleo', surface: 'cli' }],
  ['tool_error', { name: 'acme.lab.answer', args: { which: 6 }, user: 'eve', surface: 'mcp' }],
  ['failed', { name: 'acme.lab.data', args: { give: false }, user: 'owner', surface: 'mcp' }],
  ['failed', { name: 'acme.lab.answer', args: { which: 11 }, user: 'ana', surface: 'mcp' }],
  ['failed', { name: 'acme.lab.answer', args: { which: -1 }, user: 'cleo', surface: 'mcp' }],
  ['invalid', { name: 'acme.lab.zod', args: { name: 'abc', count: 4 }, user: 'ben', surface: 'mcp' }],
  ['invalid', { name: 'acme.lab.draft7', args: { a: 1 }, user: 'owner', surface: 'cli' }],
  ['denied', { name: 'acme.lab.zod', args: {}, user: 'dan', surface: 'mcp' }],
  ['denied', { name: 'acme.lab.zod', args: { name: 'abc' }, user: 'nobody', surface: 'cli' }],
  ['denied', { name: 'acme.lab.nowhere', args: {}, user: 'owner', surface: 'mcp' }],
  ['unknown', { name: 'acme.lab.unknown', args: {}, user: 'owner', surface: 'mcp' }],
])('what ends in a host as %s ends so in the kit: %j', async (ending, given) => {
  const host = await inHost(await openLab(), given)
  expect([host.outcome, await inKit(given)]).toEqual([ending, host])
})

test('a call ends in the kit as it ends in a host, whatever the tool, the user, the surface and the arguments are', async () => {
  const opened = await openLab()
  await fc.assert(
    fc.asyncProperty(call, async (given) => {
      expect(await inKit(given)).toEqual(await inHost(opened, given))
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  [
    { rows: [{ total: 1 }, { total: 'x' }] },
    'structuredContent.rows[1].total: ',
    'expected number, got string of 1 character',
  ],
  [{}, 'structuredContent: ', 'missing required "rows"'],
  [{ rows: [], more: 1 }, 'structuredContent: unknown property "more"', ''],
])('an answer that does not fit its outputSchema fails, and both name the place: %j', async (args, place, words) => {
  const { host } = await openHost([plugin])
  const name = 'acme.lab.shaped'
  const call = host.invoker.run({ name: `plugin:acme/lab:${name}`, arguments: args, user: 'owner' })
  await expect(call).rejects.toMatchObject({
    code: 'tool_failed',
    message: expect.stringContaining(`its answer does not fit its outputSchema: ${place}${words}`),
  })
  ;(await kit.call(name, args)).assertFailed(`its answer does not fit its outputSchema: ${place}`)
})
