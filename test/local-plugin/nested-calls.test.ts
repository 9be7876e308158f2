/** Tools that call tools of their own plugin, directly or through others, where few calls run at once. */
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'
import { describe, expect, test } from 'vitest'
import { textOf } from '../fixtures/plugin-calls.ts'
import { openHost } from './open-host.ts'

/** A plugin whose `pass` calls the first tool of those in `on`, and hands it the others; the last one answers. */
function passing(id: string, last: (signal: AbortSignal) => Promise<void> = async () => undefined): DefinedPlugin {
  return definePlugin({
    id,
    tools: [
      tool({
        name: 'pass',
        args: [{ name: 'on', type: 'string' }],
        run: async ({ on = '' }, { call, signal }) => {
          const [next = '', ...rest] = on.split(' ')
          if (next !== '') return textOf(await call(...passed(next, rest.join(' '))))
          await last(signal)
          return `answered by ${id}`
        },
      }),
    ],
  })
}

const A = 'plugin:a:pass'
const B = 'plugin:b:pass'

/** The call of a tool, by way of `call_mcp_tool` where its name is written with an @. */
function passed(name: string, on: string): [string, Readonly<Record<string, unknown>>] {
  return name.startsWith('@') ? ['call_mcp_tool', { tool_name: name.slice(1), arguments: { on } }] : [name, { on }]
}

describe('with one call of each plugin at once', () => {
  const limits = { concurrency: 1, timeout: '5s' }

  test.each([
    ['its own plugin', A, A, 'a'],
    ['its own plugin, which does so again', A, `${A} ${A} ${A}`, 'a'],
    ['another one, which calls the first', A, `${B} ${A} ${B}`, 'b'],
    ['its own plugin by call_mcp_tool', A, `@${A}`, 'a'],
    ['its own plugin, itself called by call_mcp_tool', `@${A}`, `@${B} ${A}`, 'a'],
  ])('a tool may call one of %s', async (_, first, on, last) => {
    const { call } = await openHost([passing('a'), passing('b')], { limits })
    const answers = await Promise.all([1, 2, 3].map(() => call(...passed(first, on))))
    expect(answers.map(textOf)).toEqual([1, 2, 3].map(() => `answered by ${last}`))
  })

  test('one that is cancelled inside another leaves every slot', async () => {
    const begun = Promise.withResolvers<void>()
    const plugin = passing('b', (signal) => {
      begun.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const { host, call } = await openHost([passing('a'), plugin], { limits })
    const ends = new AbortController()
    const { signal } = ends
    const cut = host.invoker.run({ name: A, arguments: { on: `${B} ${A} ${B}` }, user: 'owner', signal })
    await begun.promise
    ends.abort()
    await expect(cut).rejects.toMatchObject({ code: 'cancelled' })
    expect(textOf(await call(A))).toBe('answered by a')
    expect(textOf(await call(B, { on: A }))).toBe('answered by a')
  })

  test('calls that are not inside each other still wait for their turn', async () => {
    let running = 0
    let most = 0
    const plugin = passing('a', async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    })
    const { call } = await openHost([plugin, passing('b')], { limits })
    await Promise.all([A, '', `${A} ${A}`, ''].map((on) => call(A, { on })))
    expect(most).toBe(1)
  })
})

test('more calls at once than may run, each of which calls another of the plugin, are all answered', async () => {
  const { call } = await openHost([passing('a')], { limits: { timeout: '5s' } })
  const answers = await Promise.all(Array.from({ length: 80 }, () => call(A, { on: A })))
  expect(answers.map(textOf)).toEqual(Array.from({ length: 80 }, () => 'answered by a'))
})
