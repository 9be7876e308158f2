import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { error, image, json, resourceLink, text, tool } from './index.ts'
import { kitCatalog } from './kit/kit-catalog.ts'
import { runTool, type ToolOutcome } from './run-tool.ts'
import type { Tool } from './tool.ts'
import type { ToolAction, ToolContext } from './tool-action.ts'
import type { Progress } from './tool-result.ts'

const silent = () => {}

function contextOf(more: Partial<ToolContext> = {}): ToolContext {
  return {
    user: 'ana',
    signal: new AbortController().signal,
    catalog: kitCatalog([]),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    meta: {},
    progress: silent,
    call: () => Promise.reject(new Error('nothing can be called here')),
    ...more,
  }
}

function runOf(made: Tool, args = {}, context = contextOf()): Promise<ToolOutcome> {
  return runTool({ ...made, definition: { package: 'acme', ...made.definition } }, args, context)
}

/** What becomes of this answer. */
function answering(run: ToolAction, more: Partial<Parameters<typeof tool>[0]> = {}): Promise<ToolOutcome> {
  return runOf(tool({ name: 'a', ...more, inputSchema: { type: 'object' }, args: undefined, run }))
}

const failed = (reason: string) => ({ kind: 'failed', reason })

describe('an answer', () => {
  test.each([
    ['a text', 'hi', text('hi')],
    ['an empty text', '', text('')],
    ['a number', 42, text('42')],
    ['a boolean', false, text('false')],
    ['an object', { a: [1] }, { content: [{ type: 'text', text: '{"a":[1]}' }], structuredContent: { a: [1] } }],
    ['a list', [1], json([1])],
    ['data whose content is no list', { content: 'x' }, json({ content: 'x' })],
    ['text()', text('hi'), { content: [{ type: 'text', text: 'hi' }] }],
    ['error()', error('no'), { content: [{ type: 'text', text: 'no' }], isError: true }],
    [
      'image()',
      image(new Uint8Array([1, 2]), 'image/png'),
      { content: [{ type: 'image', data: 'AQI=', mimeType: 'image/png' }] },
    ],
    ['image() of base64', image('AQI=', 'image/png'), image(new Uint8Array([1, 2]), 'image/png')],
    [
      'resourceLink()',
      resourceLink({ uri: 'file:///a', name: 'a' }),
      { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
    ],
    [
      'a result with fields that nobody knows',
      { content: [{ type: 'hologram', depth: 3 }], future: { a: 1 }, _meta: { b: 2 } },
      { content: [{ type: 'hologram', depth: 3 }], future: { a: 1 }, _meta: { b: 2 } },
    ],
  ])('of %s becomes a result', async (_what, answer, result) => {
    expect(await answering(() => answer)).toEqual({ kind: 'answered', result })
    expect(await answering(async () => answer)).toEqual({ kind: 'answered', result })
  })

  test.each([
    ['undefined', undefined, "it is undefined; answer with a text, with data, or with text('done')"],
    ['null', null, "it is null; answer with a text, with data, or with text('done')"],
    ['NaN', Number.NaN, 'NaN has no form in JSON'],
    ['a BigInt', 1n, 'a bigint has no form in JSON'],
    ['a function', () => 1, 'a function has no form in JSON'],
    ['a symbol', Symbol('x'), 'a symbol has no form in JSON'],
    ['content of texts', { content: ['hi'] }, 'content[0]: expected a block with a "type"'],
    [
      'a block without its text',
      { content: [{ type: 'text' }] },
      'content[0].text: expected a text in a block of type text',
    ],
    ['an image without a type', image('AQI=', Object(undefined)), 'content[0].mimeType: expected a text'],
    ['isError that is a text', { content: [], isError: 'yes' }, 'isError: expected true or false'],
    ['_meta that is a list', { content: [], _meta: [] }, '_meta: expected an object'],
    ['a text of 50 MB', 'x'.repeat(50_000_000), 'it is larger than 16 million characters'],
    ['50 MB', text('x'.repeat(50_000_000)), 'it is larger than 16 million characters'],
  ])('of %s fails the call', async (_what, answer, why) => {
    const outcome = await answering(() => answer)
    expect(outcome).toMatchObject(failed(expect.stringContaining(`its answer is no result: ${''}`)))
    expect(outcome).toMatchObject(failed(expect.stringContaining(why)))
  })

  test('has data where the tool has an output schema, unless it is an error', async () => {
    const outputSchema = { type: 'object' }
    expect(await answering(() => 'hi', { outputSchema })).toMatchObject(failed(expect.stringContaining('outputSchema')))
    expect(await answering(() => error('no'), { outputSchema })).toMatchObject({ kind: 'answered' })
    expect(await answering(() => ({ a: 1 }), { outputSchema })).toMatchObject({ kind: 'answered' })
  })

  test('is not what the action keeps', async () => {
    const kept = { rows: [1] }
    const outcome = await answering(() => kept)
    kept.rows.push(2)
    expect(outcome).toMatchObject({ result: { structuredContent: { rows: [1] } } })
  })
})

describe('what an action throws', () => {
  test.each([
    ['an error', new Error('no such user'), 'no such user'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['a text', 'no such user', 'no such user'],
    ['an object', { code: 7 }, '{ code: 7 }'],
    ['nothing', undefined, 'undefined'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
    [
      'an error whose message can’t be read',
      Object.defineProperty(new Error(), 'message', {
        get: () => {
          throw 1
        },
      }),
      'something that has no text',
    ],
  ])('fails the call: %s', async (_what, thrown, reason) => {
    for (const run of [
      () => {
        throw thrown
      },
      () => Promise.reject(thrown),
    ])
      expect(await answering(run)).toEqual({ kind: 'failed', reason, cause: thrown })
  })

  test('is cut where it is long', async () => {
    const outcome = await answering(() => Promise.reject(new Error('x'.repeat(1_000_000))))
    expect(outcome.kind === 'failed' && outcome.reason.length).toBeLessThan(3_000)
  })
})

describe('arguments', () => {
  test('are a copy that the action may change', async () => {
    const args = { list: [1], deep: { a: 1 } }
    const run: ToolAction = (given) =>
      Object.assign(given, { list: [], deep: Object.assign(Object(given.deep), { a: 2 }) })
    const outcome = await runOf(tool({ name: 'a', inputSchema: {}, run }), args)
    expect(outcome).toMatchObject({ result: { structuredContent: { list: [], deep: { a: 2 } } } })
    expect(args).toEqual({ list: [1], deep: { a: 1 } })
  })

  test('are a copy that the schema may change', async () => {
    const validate = (value: unknown) => ({ value: Object.assign(Object(value), { added: true }) })
    const schema = { '~standard': { version: 1, vendor: 'acme', validate } } as const
    const args = { a: 1 }
    const outcome = await runOf(tool({ name: 'a', args: schema, inputSchema: {}, run: (given) => json(given) }), args)
    expect(outcome).toMatchObject({ result: { structuredContent: { a: 1, added: true } } })
    expect(args).toEqual({ a: 1 })
  })

  test('are what the schema makes of them', async () => {
    const args = z.object({ count: z.string().transform(Number), unit: z.string().default('m') })
    const outcome = await runOf(tool({ name: 'a', args, run: (given) => given }), { count: '3' })
    expect(outcome).toMatchObject({ result: { structuredContent: { count: 3, unit: 'm' } } })
  })

  test('that the schema refuses are invalid, with the path of each issue, and the action does not run', async () => {
    const item = z.object({ 'first name': z.string() })
    const args = z
      .object({ items: z.array(item), from: z.number(), to: z.number() })
      .refine(({ from, to }) => from <= to, 'from is after to')
      .refine(async ({ items }) => items.length < 2, { path: ['items', 1, 'first name'], message: 'one is enough' })
    let runs = 0
    const counted = tool({ name: 'a', args, run: () => `run ${++runs}` })
    const names = [{ 'first name': 'a' }, { 'first name': 'b' }]
    expect(await runOf(counted, { items: names, from: 2, to: 1 })).toEqual({
      kind: 'invalid',
      problems: ['from is after to', 'items[1]["first name"]: one is enough'],
    })
    expect(runs).toBe(0)
  })

  test('that are no data are invalid', async () => {
    const outcome = await runOf(tool({ name: 'a', inputSchema: {}, run: () => 'hi' }), { run: () => 1 })
    expect(outcome).toEqual({ kind: 'invalid', problems: ['run: a function has no form in JSON'] })
  })

  test('a schema that throws fails the call', async () => {
    const args = z.object({}).refine(() => {
      throw new Error('no database')
    })
    expect(await runOf(tool({ name: 'a', args, run: () => 'hi' }))).toMatchObject(
      failed('its arguments could not be checked: no database'),
    )
  })
})

describe('what an action says on the way', () => {
  test('progress is passed on as it is, and a step that is none throws', async () => {
    const steps: Progress[] = []
    const context = contextOf({ progress: (step) => void steps.push(step) })
    const made = tool({
      name: 'a',
      run: (_args, { progress }) => {
        progress({ progress: 1 })
        progress({ progress: 2, total: 3, message: 'two' })
        progress({ progress: Number.NaN })
      },
    })
    expect(await runOf(made, {}, context)).toMatchObject(failed(expect.stringContaining('progress() takes numbers')))
    expect(steps).toEqual([{ progress: 1 }, { progress: 2, total: 3, message: 'two' }])
  })

  test('a message is not lost for what stands beside it', async () => {
    const logged: unknown[] = []
    const log = { debug: silent, info: silent, warn: silent, error: (...given: unknown[]) => void logged.push(given) }
    const made = tool({
      name: 'a',
      run: (_args, context) => {
        context.log.error('no answer', { error: new Error('timed out'), id: 1n, rows: [1], none: undefined })
        context.log.error('again')
        return 'logged'
      },
    })
    await runOf(made, {}, contextOf({ log }))
    expect(logged).toEqual([
      ['no answer', { error: 'timed out', id: '1n', rows: [1], none: null }],
      ['again', {}],
    ])
  })
})
