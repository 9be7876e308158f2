/** What a plugin of the existing protocol may ask of a host with users: as whom, how far, and how much. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, tool } from '@callboard/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { messageOf } from '../../packages/callboard/src/errors.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import type { AuditRow } from '../../packages/callboard/src/store/audit-store.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { eventually, keptLog, textOf } from '../fixtures/plugin-calls.ts'

const HELLO = 'plugin:acme/tools:hello'
const SECRET = 'plugin:acme/tools:secret'

const begun = Promise.withResolvers<void>()
const cut = Promise.withResolvers<unknown>()
const acme = definePlugin({
  id: 'acme/tools',
  tools: [
    tool({ name: 'hello', description: 'Says who it is', run: (_, { user }) => `hello ${user}` }),
    tool({ name: 'secret', run: () => 'a secret' }),
    tool({
      name: 'slow',
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          begun.resolve()
          signal.addEventListener('abort', () => {
            cut.resolve(signal.reason)
            reject(signal.reason)
          })
        }),
    }),
  ],
})

const plugin = (id: string, grants: readonly string[], more: object = {}) => ({
  external: { ...fixtureCommand('orchestra-plugin', '--id', id), protocol: 'orchestra', grants, ...more },
})

const folder = mkdtempSync(join(tmpdir(), 'callboard-orchestra-'))
const config = loadConfig({
  data: {
    dataDir: folder,
    plugins: {
      'tools.notes': plugin('tools.notes', ['storage', 'tools', 'events', 'acme.tools.hello'], { maxStorage: '1MB' }),
      'tools.other': { ...plugin('tools.other', ['tools', 'events']), prefix: 'other_', concurrency: 1 },
      'tools.none': { ...plugin('tools.none', ['acme.nothing.*']), prefix: 'none_' },
    },
    roles: { notes: ['tools.*'], hello: ['acme.tools.hello', 'acme.tools.slow'] },
    users: { ana: { roles: ['notes', 'hello'] }, ben: { roles: ['notes'] } },
  },
  cwd: folder,
  env: {},
  home: folder,
})
const { log, lines } = keptLog(config.secrets)
let host: Host

beforeAll(async () => {
  host = await createHost({ config, plugins: [acme], log })
  await host.start()
}, 60_000)
afterAll(async () => {
  await host[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The text of what the tool answers to ana, or to another user. */
async function call(name: string, args: object = {}, more: object = {}): Promise<string> {
  return textOf(await host.invoker.run({ name, arguments: { ...args }, user: 'ana', ...more }))
}

const words = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

async function rowsOf(toolName: string): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = []
  for await (const batch of host.audit({ signal: new AbortController().signal })) rows.push(...batch.rows)
  return rows.filter((row) => row.tool === toolName)
}

describe('another tool', () => {
  test('runs as the user of the call, and the audit has both', async () => {
    expect(await call('ask_other', { tool: HELLO })).toBe('hello ana')
    expect((await rowsOf(HELLO)).at(-1)).toMatchObject({ user: 'ana', via: 'ask_other', outcome: 'ok' })
  })

  test('that this user may not use does not exist', async () => {
    for (const [user, tool] of [
      ['ben', HELLO],
      ['ben', SECRET],
      ['ana', SECRET],
    ] as const) {
      const own: unknown = await host.invoker.run({ name: tool, arguments: {}, user }).catch((error: unknown) => error)
      expect(own).toMatchObject({ code: 'not_found' })
      expect(await call('ask_other', { tool }, { user })).toBe(messageOf(own))
    }
  })

  test('is not reached by a call that may do less than its user', async () => {
    const narrowed = { user: { name: 'ana', within: ['tools.*'] } }
    expect(await call('ask_other', { tool: HELLO }, narrowed)).toMatch(words('no tool named'))
  })

  test('is listed where this user may use it, under the name by which it is called', async () => {
    const listed = await call('tools')
    expect(listed).toContain('"name":"plugin-acme-tools-hello","description":"Says who it is"')
    expect(listed).not.toContain('secret')
    expect(await call('tools', {}, { user: 'ben' })).not.toContain('hello')
  })

  test('is refused while calls of several users run, since nobody can tell for whom it is', async () => {
    const ends = new AbortController()
    const waiting = call('wait', {}, { user: 'ben', signal: ends.signal }).catch(() => {})
    await eventually(
      async () => (await call('ask_other', { tool: HELLO })).includes('`concurrency: 1` gives it one call at a time'),
      'the refusal',
    )
    ends.abort()
    await waiting
    await eventually(async () => (await call('ask_other', { tool: HELLO })) === 'hello ana', 'the call')
  })

  test('ends with the call for which it runs', async () => {
    const ends = new AbortController()
    const asking = call('ask_other', { tool: 'plugin:acme/tools:slow' }, { signal: ends.signal }).catch(() => 'ended')
    await begun.promise
    ends.abort()
    expect(await asking).toBe('ended')
    await cut.promise
  })

  test('of the same plugin runs where only one call of it does at once', async () => {
    const args = { tool: 'other_ask_other', args: { tool: HELLO } }
    const signal = AbortSignal.timeout(5_000)
    expect(await call('other_ask_other', args, { signal })).toBe('hello ana')
  })

  test('is not called without an end', async () => {
    const nest = (times: number): object =>
      times === 0 ? { tool: HELLO } : { tool: 'ask_other', args: nest(times - 1) }
    expect(await call('ask_other', nest(15))).toBe('hello ana')
    expect(await call('ask_other', nest(16))).toBe(
      `"${HELLO}" was not called: tools call each other 16 deep already, by "ask_other" last`,
    )
  })
})

describe('outside its calls', () => {
  /** Resolves when the plugin was told this, since while the call runs it is told something else. */
  async function isToldLater(name: string, tool: string, answer: string): Promise<void> {
    await call(name, { tool })
    const isTold = (): boolean => lines.some((line) => JSON.stringify(line).includes(answer))
    try {
      await eventually(isTold, `"${answer}" in the log`)
    } finally {
      await call(name)
    }
  }

  test('it has the permissions that it is granted, and the audit names it', async () => {
    await isToldLater('later', HELLO, 'hello owner')
    expect((await rowsOf(HELLO)).some(({ user, via }) => user === 'owner' && via === 'tools.notes')).toBe(true)
    await isToldLater('later', SECRET, 'later: tool_not_found: no tool named \\"plugin:acme/tools:secret')
  })

  test('it has none by default', async () => {
    await isToldLater('other_later', HELLO, 'outside its calls it has no permission')
  })
})

describe('what is not granted is refused, in words:', () => {
  test('other tools', async () => {
    expect(await call('none_ask_other', { tool: HELLO })).toBe(
      'the plugin may not call tools; add `tools` to its `grants` if it should',
    )
    expect(await call('none_tools')).toContain('permission_denied: the plugin may not call tools')
  })

  test('storage', async () => {
    expect(await call('none_store', { path: 'a' })).toBe(
      'permission_denied: the plugin has no storage; add `storage` to its `grants` if it should',
    )
    expect(await call('other_store', { path: 'a', content: 'x' })).toContain('"success":false')
  })

  test('events', async () => {
    expect(await call('none_event', { publish: 'x' })).toContain('permission_denied: the plugin has no events')
  })
})

describe('storage', () => {
  const store = (args: object): Promise<string> => call('store', args)

  test('is changed by compare and swap', async () => {
    expect(await store({ path: 'cas/a.md' })).toBe('storageRead {"content":"","version":0}')
    expect(await store({ path: 'cas/a.md', content: 'one' })).toBe(
      'storageWrite {"success":true,"newVersion":1,"error":""}',
    )
    expect(await store({ path: 'cas/a.md', content: 'two' })).toContain(
      'version conflict: \\"cas/a.md\\" has version 1, and 0 was expected',
    )
    expect(await store({ path: 'cas/a.md', content: 'two', expected: 7 })).toContain('"success":false')
    expect(await store({ path: 'cas/a.md', content: 'two', expected: 1 })).toContain('"success":true,"newVersion":2')
    expect(await store({ path: 'cas/a.md', content: 'three', expected: -1 })).toContain('"success":true,"newVersion":3')
    expect(await store({ path: 'cas/a.md' })).toContain('"content":"three"')
    expect(await store({ prefix: 'cas/' })).toContain('"path":"cas/a.md","size":5,"version":3')
    expect(await store({ remove: 'cas/a.md' })).toBe('storageDelete {"success":true}')
    expect(await store({ remove: 'cas/a.md' })).toBe('storageDelete {"success":false}')
    expect(await store({ prefix: 'cas/' })).toBe('storageList {"entries":[]}')
  })

  test.each(['../escape', '/etc/escape', 'a/../../escape', '..', '.', '', 'a//escape', `${'x'.repeat(300)}`])(
    'is not left by the path %j',
    async (path) => {
      expect(await store({ path, content: 'x' })).toContain('is no path of a file')
      expect(await store({ path })).toContain('validation_error: ')
      expect(await store({ remove: path })).toContain('validation_error: ')
    },
  )

  test.each(['..\\escape', 'C:escape', 'a\u0000b', '%2e%2e/escape', '~/escape'])(
    'takes %j for a name',
    async (path) => {
      expect(await store({ path, content: 'x', expected: -1 })).toContain('"success":true')
      expect(await store({ path })).toContain('"content":"x"')
      const files = join(folder, 'external', 'plugins', 'tools.notes.plugin', 'files')
      const outside = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.name.includes('escape') && !entry.parentPath.startsWith(files),
      )
      expect(outside).toEqual([])
    },
  )

  test('has a bound', async () => {
    const half = 'x'.repeat(600_000)
    expect(await store({ path: 'big/a', content: half })).toContain('"success":true')
    expect(await store({ path: 'big/b', content: half })).toMatch(
      /"success":false.*take 0\.6 MB of 1\.0 MB.*`maxStorage`/,
    )
    expect(await store({ remove: 'big/a' })).toContain('"success":true')
    expect(await store({ path: 'big/b', content: half })).toContain('"success":true')
  })
})

test('an event carries no more than 64 KB', async () => {
  expect(await call('event', { publish: 'large', payload: { text: 'x'.repeat(60_000) } })).toBe('undefined null')
  expect(await call('event', { publish: 'large', payload: { text: 'x'.repeat(70_000) } })).toContain(
    'validation_error: the payload of an event has 70011 bytes as JSON, and 65536 are as many as there may be',
  )
})

test('events reach those that subscribed to them, as of the plugin that published them', async () => {
  const heard = async (name: string): Promise<readonly string[]> => JSON.parse(await call(name)).heard
  expect(await call('event', { subscribe: 'file.changed', filters: { kind: 'md' } })).toBe(
    'eventDelivery {"subscriptionId":"s","topic":"file.changed","eventType":"subscribed","sourcePlugin":""}',
  )
  for (const payload of [{ kind: 'txt' }, { kind: 'md', size: 1 }])
    expect(await call('other_event', { publish: 'file.changed', payload })).toBe('undefined null')
  await call('other_event', { publish: 'file.gone', payload: { kind: 'md' } })
  await eventually(async () => (await heard('facts')).length > 0, 'the event')
  expect(await heard('facts')).toEqual(['file.changed made {"kind":"md","size":1} of tools.other'])
  await call('event', { unsubscribe: 's' })
  await call('other_event', { publish: 'file.changed', payload: { kind: 'md' } })
  // What is published later is heard later.
  await call('event', { subscribe: 'end' })
  await call('event', { publish: 'end' })
  await eventually(async () => (await heard('facts')).length > 1, 'the end')
  expect(await heard('facts')).toEqual([
    'file.changed made {"kind":"md","size":1} of tools.other',
    'end made {} of tools.notes',
  ])
  expect(await heard('other_facts')).toEqual([])
})
