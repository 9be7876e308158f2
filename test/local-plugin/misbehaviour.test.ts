/** What an action of a plugin does wrong is told to its caller, and to nobody else. */
import { definePlugin, error, text, tool } from '@callboard/sdk'
import type { ToolResult } from 'callboard'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { longestTurn } from '../fixtures/longest-turn.ts'
import { textOf } from '../fixtures/plugin-calls.ts'
import { openHost } from './open-host.ts'

function cycle(): unknown {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

/** Made ahead: what an action itself does with the processor is its own. */
const rows = Array.from({ length: 1_000_000 }, (_, row) => ({ row, text: 'x'.repeat(30) }))

const answers: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  cycle,
  BigInt: () => ({ id: 1n }),
  NaN: () => ({ total: Number.NaN }),
  '50 MB of text': () => 'x'.repeat(50_000_000),
  '50 MB of data': () => rows,
  function: () => ({ run: () => 1 }),
  symbol: () => Symbol('x'),
  'a promise inside': () => ({ user: Promise.resolve(1) }),
  'no result': () => ({ content: ['hi'] }),
  'a throwing getter': () => ({
    get total() {
      throw new Error('no')
    },
  }),
}
/** What a turn may take of the processor while an action misbehaves: the longest that another call waits for it. */
const TURN_MS = 30

const thrown: Readonly<Record<string, unknown>> = {
  'an error': new Error('no such user'),
  'a text': 'no such user',
  nothing: undefined,
  'an object without a prototype': Object.create(null),
}

const bad = definePlugin({
  id: 'acme.bad',
  tools: [
    ...Object.entries(answers).map(([name, run]) => tool({ name: `answers ${name}`, run })),
    ...Object.entries(thrown).map(([name, what]) =>
      tool({
        name: `throws ${name}`,
        run: () => {
          throw what
        },
      }),
    ),
    ...Object.entries(thrown).map(([name, what]) =>
      tool({ name: `rejects with ${name}`, run: () => Promise.reject(what) }),
    ),
    tool({ name: 'never settles', run: () => new Promise(() => {}) }),
    tool({ name: 'good', args: [{ name: 'n', type: 'integer' }], run: ({ n }) => `good ${n}` }),
  ],
})
const neighbour = definePlugin({ id: 'acme.neighbour', tools: [tool({ name: 'ping', run: () => 'pong' })] })

const answerOf: Readonly<Record<string, RegExp>> = {
  'answers undefined': /its answer is no result: it is undefined; answer with/,
  'answers null': /its answer is no result: it is null; answer with/,
  'answers cycle': /its answer is no result: self: it contains itself$/,
  'answers BigInt': /its answer is no result: id: a bigint has no form in JSON$/,
  'answers NaN': /its answer is no result: total: NaN has no form in JSON$/,
  'answers 50 MB of text': /its answer is no result: it is larger than 16 million characters$/,
  'answers 50 MB of data': /its answer is no result: it is larger than 16 million characters$/,
  'answers function': /its answer is no result: run: a function has no form in JSON$/,
  'answers symbol': /its answer is no result: a symbol has no form in JSON$/,
  'answers a promise inside': /its answer is no result: user: a Promise has no form in JSON; await it$/,
  'answers no result': /its answer is no result: content\[0\]: expected a block with a "type"/,
  'answers a throwing getter': /its answer is no result: it can't be read: no$/,
  'throws an error': /failed to run "throws an error": no such user$/,
  'throws a text': /failed to run "throws a text": no such user$/,
  'throws nothing': /failed to run "throws nothing": undefined$/,
  'throws an object without a prototype': /: \[Object: null prototype\] \{\}$/,
  'rejects with an error': /failed to run "rejects with an error": no such user$/,
  'rejects with a text': /: no such user$/,
  'rejects with nothing': /: undefined$/,
  'rejects with an object without a prototype': /: \[Object: null prototype\] \{\}$/,
}

describe('an action that', () => {
  test('is in none of the cases does not exist', () => {
    const cases = [...Object.keys(answerOf), 'never settles', 'good']
    expect(bad.tools.map(({ definition }) => definition.name)).toEqual(cases)
  })

  test.each(Object.entries(answerOf))('%s fails its own call in clear words, and no other', async (name, words) => {
    const { host, call } = await openHost([bad, neighbour])
    // The first calls of a host prepare what all others use.
    await call('good', { n: 0 })
    let settled: readonly PromiseSettledResult<ToolResult>[] = []
    const longestMs = await longestTurn(async () => {
      const calls = [call(`plugin:acme.bad:${name}`), call('good', { n: 1 }), call('ping')]
      settled = await Promise.allSettled(calls)
    })
    const [failed, good, ping] = settled
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'tool_failed' } })
    expect(failed).toHaveProperty('reason.message', expect.stringMatching(words))
    expect([good, ping]).toMatchObject([{ value: text('good 1') }, { value: text('pong') }])
    expect(textOf(await call('good', { n: 2 }))).toBe('good 2')
    expect(host.plugins().map(({ state }) => state)).toEqual(['up', 'up'])
    expect(longestMs).toBeLessThan(TURN_MS)
  })

  test('never settles is over when its time is up, and holds up no other call', async () => {
    const { call } = await openHost([bad, neighbour], { limits: { timeout: '300ms' } })
    const [hung, good, ping] = await Promise.allSettled([
      call('plugin:acme.bad:never settles'),
      call('good', { n: 1 }),
      call('ping'),
    ])
    expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } })
    expect([good, ping]).toMatchObject([{ value: text('good 1') }, { value: text('pong') }])
  })

  test('throws is in the log with the place of it', async () => {
    const { call, lines } = await openHost([bad])
    await expect(call('plugin:acme.bad:throws an error')).rejects.toThrow('no such user')
    expect(lines).toContainEqual(
      expect.objectContaining({
        plugin: 'acme.bad',
        tool: 'throws an error',
        reason: 'no such user',
        stack: expect.stringContaining('misbehaviour.test.ts'),
      }),
    )
  })

  test('changes its arguments changes nobody else’s', async () => {
    const plugin = definePlugin({
      id: 'acme',
      tools: [
        tool({
          name: 'change',
          inputSchema: { type: 'object' },
          run: (args) => Object.assign(args, { list: Object.assign(Object(args.list), { 0: 'changed' }) }),
        }),
      ],
    })
    const { call } = await openHost([plugin])
    const args = Object.freeze({ list: Object.freeze(['as given']) })
    expect(await call('change', args)).toMatchObject({ structuredContent: { list: ['changed'] } })
    expect(args).toEqual({ list: ['as given'] })
  })
})

test('what a schema makes of the arguments reaches the action, and its issues the caller', async () => {
  const args = z
    .object({ from: z.string().transform(Number), to: z.string().transform(Number) })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'is before from' })
  const plugin = definePlugin({ id: 'acme', tools: [tool({ name: 'range', args, run: ({ from, to }) => to - from })] })
  const { host, call } = await openHost([plugin])
  const outcomes: string[] = []
  host.onCall(({ outcome }) => outcomes.push(outcome))
  expect(textOf(await call('range', { from: '1', to: '3' }))).toBe('2')
  await expect(call('range', { from: 1, to: 3 })).rejects.toThrow(
    /^invalid arguments for "range": from: expected string/,
  )
  await expect(call('range', { from: '3', to: '1' })).rejects.toMatchObject({
    code: 'invalid_arguments',
    message: 'invalid arguments for "range": to: is before from',
  })
  expect(outcomes).toEqual(['ok', 'invalid', 'invalid'])
})

test('an error of the tool’s own is its answer, and no failure', async () => {
  const plugin = definePlugin({ id: 'acme', tools: [tool({ name: 'find', run: () => error('no such note') })] })
  const { host, call } = await openHost([plugin])
  const outcomes: string[] = []
  host.onCall(({ outcome }) => outcomes.push(outcome))
  expect(await call('find')).toEqual({ content: [{ type: 'text', text: 'no such note' }], isError: true })
  expect(outcomes).toEqual(['tool_error'])
})

test('a call within a call that fails is a failure of the outer tool, and no unknown tool', async () => {
  const plugin = definePlugin({
    id: 'acme',
    tools: [tool({ name: 'outer', run: (_args, { call }) => call('plugin:acme:nothing') })],
  })
  const { call } = await openHost([plugin])
  await expect(call('outer')).rejects.toMatchObject({
    code: 'tool_failed',
    message: expect.stringMatching(/^plugin "acme" failed to run "outer": no tool named "plugin:acme:nothing"/),
  })
})
