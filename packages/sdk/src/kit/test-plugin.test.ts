import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { definePlugin, error, json, text, tool } from '../index.ts'
import { testPlugin } from './test-plugin.ts'

const notes = definePlugin({
  id: 'acme/notes',
  tools: [
    tool({
      name: 'acme.notes.add',
      permission: 'acme.notes.write',
      args: z.object({ title: z.string().min(1).trim(), tags: z.array(z.string()).default([]) }),
      run: ({ title, tags }, { user }) => json({ title, tags, by: user }),
    }),
    tool({
      name: 'acme.notes.export',
      args: [{ name: 'steps', type: 'integer' }],
      run: ({ steps = 2 }, { progress, log }) => {
        for (let step = 1; step <= steps; step++) progress({ progress: step, total: steps })
        log.info('exported', { steps })
        return 'done'
      },
    }),
    tool({ name: 'acme.notes.broken', run: () => Promise.reject(new Error('the disk is full')) }),
    tool({ name: 'acme.notes.find', run: () => error('there is no such note') }),
    tool({ name: 'acme.notes.admin', surfaces: ['cli'], run: () => text('shell') }),
    tool({
      name: 'acme.notes.greet',
      run: async (_args, { call, catalog }) => {
        const { content } = await call('plugin:acme/names:acme.names.of', { id: 7 })
        return { name: content[0]?.text, visible: catalog.listCatalog('', 0, 0).map(({ name }) => name) }
      },
    }),
    tool({
      name: 'acme.notes.wait',
      run: async (_args, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        return 'stopped'
      },
    }),
  ],
})
const names = definePlugin({
  id: 'acme/names',
  tools: [
    tool({
      name: 'acme.names.of',
      args: [{ name: 'id', type: 'integer', required: true }],
      run: ({ id }, { user }) => `${user} asked for ${id}`,
    }),
  ],
})
const kit = testPlugin(notes, {
  users: { ana: ['acme.notes.*'], ben: ['acme.names.*', 'acme.*.greet'], cleo: ['acme.notes.*', 'cli.access'] },
  others: [names],
})

describe('a call', () => {
  test('answers as the tool does, for the owner unless another user is named', async () => {
    const run = await kit.call('acme.notes.add', { title: ' Milk ' })
    run.assertOk().assertPermitted().assertStructured({ title: 'Milk', tags: [], by: 'owner' })
    const byAna = await kit.call('acme.notes.add', { title: 'Milk' }, { user: 'ana' })
    byAna.assertText('{"title":"Milk","tags":[],"by":"ana"}').assertText(/Milk/)
  })

  test('takes a namespaced name too', async () => {
    ;(await kit.call('plugin:acme/notes:acme.notes.export')).assertText('done')
    ;(await kit.call('plugin:acme/names:acme.names.of', { id: 1 })).assertText('owner asked for 1')
  })

  test('is denied without the permission, which is derived where none is declared', async () => {
    ;(await kit.call('acme.notes.add', { title: 'x' }, { user: 'ben' })).assertDenied()
    const run = await kit.call('acme.notes.export', {}, { user: 'ben' })
    expect(run.message).toBe('ben lacks the permission acme.notes.acme.notes.export')
    ;(await kit.call('acme.notes.greet', {}, { user: 'dora' })).assertDenied()
  })

  test('is denied before its arguments are looked at', async () => {
    ;(await kit.call('acme.notes.add', { nonsense: 1 }, { user: 'ben' })).assertDenied()
  })

  test.each([
    [{}, /must have required property 'title'/],
    [{ title: 3 }, 'title: must be string'],
    [{ title: '' }, 'title: must NOT have fewer than 1 characters'],
    [{ title: 'x', tags: ['a', 1] }, 'tags[1]: must be string'],
  ])('is invalid with the arguments %j', async (args, words) => {
    ;(await kit.call('acme.notes.add', args)).assertInvalid().assertInvalid(words).assertPermitted()
  })

  test('is invalid with an argument that the list does not have', async () => {
    ;(await kit.call('acme.notes.export', { step: 1 })).assertInvalid('unknown argument "step"')
  })

  test('tells its progress and keeps its log', async () => {
    const run = await kit.call('acme.notes.export')
    run.assertProgress([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
    expect(run.logged).toEqual([{ level: 'info', message: 'exported', fields: { steps: 2 } }])
  })

  test('fails where the tool throws, and is an error where the tool says so', async () => {
    ;(await kit.call('acme.notes.broken')).assertFailed('disk is full')
    ;(await kit.call('acme.notes.find')).assertToolError(/no such note/)
  })

  test('is denied where the surface does not have the tool', async () => {
    const run = (await kit.call('acme.notes.admin')).assertDenied()
    expect(run.message).toBe('it is not offered on the surface mcp')
    ;(await kit.call('acme.notes.admin', {}, { surface: 'cli' })).assertText('shell')
    ;(await kit.call('acme.notes.admin', {}, { surface: 'cli', user: 'ana' })).assertDenied()
    ;(await kit.call('acme.notes.admin', {}, { surface: 'cli', user: 'cleo' })).assertText('shell')
    expect((await kit.call('acme.notes.nothing')).message).toMatch(
      /^there is no tool "acme.notes.nothing"; the plugin has "acme/,
    )
  })

  test('is cancelled by its signal, which the tool sees', async () => {
    const caller = new AbortController()
    const running = kit.call('acme.notes.wait', {}, { signal: caller.signal })
    caller.abort()
    expect((await running).outcome).toBe('cancelled')
    const late = await kit.call('acme.notes.wait', {}, { signal: AbortSignal.abort() })
    expect(late.outcome).toBe('cancelled')
  })

  test('calls tools of other plugins as the same user, who sees what that user may see', async () => {
    const run = await kit.call('acme.notes.greet', {}, { user: 'ben' })
    run.assertStructured({
      name: 'ben asked for 7',
      visible: ['plugin:acme/names:acme.names.of', 'plugin:acme/notes:acme.notes.greet'],
    })
    const byAna = await kit.call('acme.notes.greet', {}, { user: 'ana' })
    byAna.assertFailed('"plugin:acme/names:acme.names.of" was not run (unknown)')
  })

  test('of many users at a time never mixes them', async () => {
    const users = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 'ana' : 'cleo'))
    const runs = await Promise.all(users.map((user) => kit.call('acme.notes.add', { title: user }, { user })))
    for (const [at, run] of runs.entries()) run.assertStructured({ title: users[at], tags: [], by: users[at] })
  })
})

describe('an assertion that does not hold', () => {
  test.each([
    ['assertDenied', [], 'expected the call of "acme.notes.export" by owner to be denied, but it answered \'done\''],
    [
      'assertInvalid',
      [],
      'expected the call of "acme.notes.export" by owner to have invalid arguments, but it answered \'done\'',
    ],
    [
      'assertText',
      ['ready'],
      "expected the call of \"acme.notes.export\" by owner to answer 'ready', but it answered 'done'",
    ],
    ['assertStructured', [{ a: 1 }], "to answer the data { a: 1 }, but it answered 'done'"],
    [
      'assertProgress',
      [[]],
      'to tell the progress []; it told [ { progress: 1, total: 2 }, { progress: 2, total: 2 } ]',
    ],
    ['assertToolError', [], "to answer with an error, but it answered 'done'"],
    ['assertFailed', [], "to fail, but it answered 'done'"],
  ] as const)('says what became of the call: %s', async (assertion, given, message) => {
    const run = await kit.call('acme.notes.export')
    const check = () => Reflect.apply(Reflect.get(run, assertion), run, given)
    expect(check).toThrow(AssertionError)
    expect(check).toThrow(message)
  })

  test('says why a call that has no answer has none', async () => {
    const denied = await kit.call('acme.notes.add', {}, { user: 'ben' })
    for (const check of [() => denied.assertOk(), () => denied.assertPermitted(), () => denied.assertText('hi')])
      expect(check).toThrow('but it was denied: ben lacks the permission acme.notes.write')
    const failed = await kit.call('acme.notes.broken')
    expect(() => failed.assertFailed('no space')).toThrow(/to say 'no space', but it was failed: the disk is full/)
  })
})

test('a schema that is none is told as what it is', async () => {
  const broken = definePlugin({
    id: 'acme',
    tools: [tool({ name: 'a', inputSchema: { type: 'text' }, run: () => 'hi' })],
  })
  await expect(testPlugin(broken).call('a')).rejects.toThrow(/^tool "a" has no usable JSON Schema: /)
})
