/** The whole command while its config is changed: what is the same goes on, what is other follows, what is wrong changes nothing. */
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { isAlive } from './alive.ts'
import { connect, createSite, ERAS, type Era, type Serving, textOf } from './callboard.ts'

type Plugins = Readonly<Record<string, unknown>>

interface Scene {
  readonly dir: string
  readonly file: string
  readonly serving: Serving
  /** Writes a config of these plugins and waits until the command has said this of it. */
  edit(plugins: Plugins, says: string | RegExp, more?: object): Promise<void>
  connect(era?: Era): Promise<Client>
}

const held = (env: Readonly<Record<string, string>> = {}) => ({ mcp: { ...fixtureCommand('held-server'), env } })

function configOf(plugins: Plugins, more: object = {}): string {
  return JSON.stringify({ dataDir: 'data', http: { listen: '127.0.0.1:0' }, plugins, ...more }, undefined, 2)
}

/** The command that serves these plugins, all of them up. */
async function serve(
  plugins: Plugins,
  more: object = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const site = createSite(plugins, more)
  onTestFinished(() => site[Symbol.asyncDispose]())
  for (const [name, text] of Object.entries(files)) writeFileSync(join(site.dir, name), text)
  const serving = await site.serve()
  await Promise.all(Object.keys(plugins).map((id) => soon(serving, new RegExp(`^${id} +up`, 'm'))))
  const file = join(site.dir, 'callboard.yaml')
  return {
    dir: site.dir,
    file,
    serving,
    edit: async (changed, says, others = {}) => {
      const next = nextPrint(serving, says)
      writeFileSync(file, configOf(changed, others))
      await next
    },
    connect: async (era = 'modern') => {
      const client = await connect(era, serving)
      onTestFinished(() => client.close())
      return client
    },
  }
}

/** Resolves when the command has printed this; rejects after 15 seconds. */
function soon({ printed, prints }: Serving, text: string | RegExp): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const patience = setTimeout(() => reject(new Error(`waited in vain for ${text} in:\n${printed()}`)), 15_000)
  return Promise.race([prints(text), late]).finally(() => clearTimeout(patience))
}

/** Resolves when the command prints this once more than it has. */
function nextPrint(serving: Serving, text: string | RegExp): Promise<void> {
  const source = typeof text === 'string' ? text.replace(/[.*]/g, '\\$&') : text.source
  const times = serving.printed().match(new RegExp(source, 'g'))?.length ?? 0
  return soon(serving, new RegExp(`(?:[^]*?(?:${source})){${times + 1}}`))
}

async function pidOf(client: Client, plugin: string): Promise<number> {
  return Number(textOf(await client.callTool({ name: `${plugin}_pid`, arguments: {} })))
}

/** A call that answers when `finish` is called; it has reached its server when this resolves. */
async function callHeld({ dir }: Scene, client: Client, plugin: string) {
  const file = join(dir, `${plugin}-${Math.random()}`)
  const begun = Promise.withResolvers<void>()
  const answer = client.callTool(
    { name: `${plugin}_hold`, arguments: { file } },
    { onprogress: () => begun.resolve(), timeout: 60_000 },
  )
  await Promise.race([begun.promise, answer])
  return { answer, finish: () => writeFileSync(file, '') }
}

/** Counts from now on how often the client is told that the list of tools is another. */
async function countListChanges(client: Client, era: Era): Promise<() => number> {
  let count = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    count += 1
  })
  if (era === 'modern') await client.listen({ toolsListChanged: true })
  return () => count
}

describe('a change of the config', { timeout: 40_000 }, () => {
  test('adds, removes and restarts what changed, and leaves the process of everything else alone', async () => {
    const scene = await serve({ same: held(), gone: held(), other: held({ VERSION: '1' }) })
    const client = await scene.connect()
    const before = {
      same: await pidOf(client, 'same'),
      gone: await pidOf(client, 'gone'),
      other: await pidOf(client, 'other'),
    }
    await scene.edit(
      { same: held(), other: held({ VERSION: '2' }), fresh: held() },
      'config: added fresh; removed gone; restarted other',
    )
    await Promise.all([nextPrint(scene.serving, /other +up/), soon(scene.serving, /fresh +up/)])
    expect(await pidOf(client, 'same')).toBe(before.same)
    expect(await pidOf(client, 'other')).not.toBe(before.other)
    expect(await pidOf(client, 'fresh')).toBeGreaterThan(0)
    await expect(pidOf(client, 'gone')).rejects.toMatchObject({ code: -32602 })
    await expect.poll(() => [before.gone, before.other].filter(isAlive), { timeout: 10_000 }).toEqual([])
  })

  test('lets a call in flight on a removed server finish, and refuses new ones', async () => {
    const scene = await serve({ same: held(), gone: held() })
    const client = await scene.connect()
    const pid = await pidOf(client, 'gone')
    const call = await callHeld(scene, client, 'gone')
    await scene.edit({ same: held() }, 'config: removed gone')
    await expect(pidOf(client, 'gone')).rejects.toMatchObject({ code: -32602 })
    expect(isAlive(pid)).toBe(true)
    call.finish()
    expect(textOf(await call.answer)).toBe(String(pid))
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  })

  test('lets a call in flight on a restarted server finish, while new ones go to the new process', async () => {
    const scene = await serve({ other: held({ VERSION: '1' }) })
    const client = await scene.connect()
    const pid = await pidOf(client, 'other')
    const call = await callHeld(scene, client, 'other')
    await scene.edit({ other: held({ VERSION: '2' }) }, 'config: restarted other')
    // It waits for the start of the new one.
    const fresh = await pidOf(client, 'other')
    expect(fresh).not.toBe(pid)
    expect([isAlive(pid), isAlive(fresh)]).toEqual([true, true])
    call.finish()
    expect(textOf(await call.answer)).toBe(String(pid))
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    expect(await pidOf(client, 'other')).toBe(fresh)
  })

  test('ends a call in flight on a removed server at its own timeout', async () => {
    const scene = await serve({ gone: { ...held(), timeout: '2s' } })
    const client = await scene.connect()
    const pid = await pidOf(client, 'gone')
    const call = await callHeld(scene, client, 'gone')
    await scene.edit({}, 'config: removed gone')
    const answer = await call.answer
    expect([answer.isError, textOf(answer)]).toEqual([
      true,
      expect.stringContaining('no answer and no progress for 2 s'),
    ])
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  })

  test('lets Ctrl-C end also what still had a call to answer', async () => {
    const scene = await serve({ gone: held() })
    const client = await scene.connect()
    const pid = await pidOf(client, 'gone')
    const call = await callHeld(scene, client, 'gone')
    const ended = call.answer.catch(() => 'broken off')
    await scene.edit({}, 'config: removed gone')
    expect(await scene.serving.stop()).toBe(0)
    await ended
    expect(isAlive(pid)).toBe(false)
  })

  test('switches plugins off and on', async () => {
    const scene = await serve({ toggled: held() })
    const client = await scene.connect()
    const pid = await pidOf(client, 'toggled')
    await scene.edit({ toggled: { ...held(), enabled: false } }, 'config: removed toggled')
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    await scene.edit({ toggled: held() }, 'config: added toggled')
    expect(await pidOf(client, 'toggled')).not.toBe(pid)
  })

  test('takes a variable of the envFile over, and restarts only who has it', async () => {
    const plugins = { same: held(), secret: held({ TOKEN: '$' + '{TOKEN}' }) }
    const scene = await serve(plugins, { envFile: '.env' }, { '.env': 'TOKEN=first-token\n' })
    const client = await scene.connect()
    const pid = await pidOf(client, 'same')
    const next = nextPrint(scene.serving, 'config: restarted secret')
    writeFileSync(join(scene.dir, '.env'), 'TOKEN=second-token\n')
    await next
    expect(await pidOf(client, 'same')).toBe(pid)
    unlinkSync(join(scene.dir, '.env'))
    await soon(scene.serving, /config: refused.*\n(?: .*\n)* .*callboard\.yaml:\d+:\d+: envFile: .*cannot be read/)
    await expect(pidOf(client, 'secret')).resolves.toBeGreaterThan(0)
    expect(scene.serving.printed()).not.toContain('second-token')
  })
})

describe('a change of the settings', { timeout: 40_000 }, () => {
  test.each(ERAS)('applies without a restart, and a %s client is told of its other list', async (era) => {
    const scene = await serve({ a: held() }, { expose: 'all' })
    const client = await scene.connect(era)
    const listChanges = await countListChanges(client, era)
    const names = async () =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => /hold|pid/.test(name))
    expect(await names()).toEqual(['a_hold', 'a_pid'])
    const pid = await pidOf(client, 'a')
    await scene.edit({ a: { ...held(), prefix: 'z_', tools: { drop: ['hold'] } } }, 'config: adjusted a', {
      expose: 'all',
    })
    await expect.poll(listChanges, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await names()).toEqual(['z_pid'])
    expect(await pidOf(client, 'z')).toBe(pid)
    const told = listChanges()
    await scene.edit({ a: { ...held(), prefix: 'z_' } }, 'config: adjusted a; changed expose', {
      expose: ['*_hold'],
    })
    await expect.poll(listChanges, { timeout: 10_000 }).toBeGreaterThan(told)
    expect(await names()).toEqual(['z_hold'])
    expect(await pidOf(client, 'z')).toBe(pid)
  })

  test.each(ERAS)('decides who may do what in the next request of a running %s client', async (era) => {
    const scene = await serve({ a: held() })
    const client = await scene.connect(era)
    const pid = await pidOf(client, 'a')
    const people = (patterns: readonly string[]) => ({
      user: 'ana',
      roles: { r: patterns },
      users: { ana: { roles: ['r'] } },
    })
    await scene.edit({ a: held() }, 'config: changed user, roles, users', people(['a.hold']))
    await expect(pidOf(client, 'a')).rejects.toMatchObject({ code: -32602 })
    await scene.edit({ a: held() }, 'config: changed roles', people(['a.*']))
    expect(await pidOf(client, 'a')).toBe(pid)
    await soon(scene.serving, / ana {2}mcp {2}plugin:a:pid {2}ok/)
  })

  test('applies over stdio too', async () => {
    const site = createSite({ a: held() })
    onTestFinished(() => site[Symbol.asyncDispose]())
    const client = await connect('legacy', site)
    onTestFinished(() => client.close())
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).not.toContain('a_pid')
    writeFileSync(join(site.dir, 'callboard.yaml'), configOf({ a: held() }, { expose: ['a_pid'] }))
    await expect.poll(names, { timeout: 10_000 }).toContain('a_pid')
  })

  test('guards HTTP anew, and says what has to wait for a restart', async () => {
    const scene = await serve({})
    const ask = async () =>
      (await fetch(new URL('/', scene.serving.url), { headers: { origin: 'https://a.example' } })).status
    expect(await ask()).toBe(403)
    const http = { listen: '127.0.0.1:9', origins: ['https://a.example'] }
    await scene.edit({}, /http\.listen stays 127\.0\.0\.1:0 until a restart; the config says 127\.0\.0\.1:9 now/, {
      http,
    })
    expect(await ask()).toBe(200)
    await scene.edit({}, 'config: changed http.auth', { http: { ...http, auth: 'tokens' } })
    expect((await fetch(scene.serving.url, { method: 'POST' })).status).toBe(401)
  })
})

describe('a config that is wrong', { timeout: 40_000 }, () => {
  test('changes nothing, is told with its line, and can be mended', async () => {
    const scene = await serve({ a: held() })
    const client = await scene.connect()
    const pid = await pidOf(client, 'a')
    const refused = (text: string, says: RegExp) => {
      const next = nextPrint(scene.serving, says)
      writeFileSync(scene.file, text)
      return next
    }
    await refused('plugins:\n  a: { mcp: { command: x }\n', /config: refused.*\n +.*callboard\.yaml:\d+:\d+: /)
    await refused(
      `plugins:\n  a: { mcp: { command: "$\{NOT_SET_ANYWHERE}" } }\n`,
      /callboard\.yaml:2:\d+: .*NOT_SET_ANYWHERE is not set/,
    )
    await refused('', /callboard\.yaml: it is empty/)
    expect(scene.serving.printed()).toContain('a changed config is refused; the one before stays in effect')
    expect(await pidOf(client, 'a')).toBe(pid)
    await scene.edit({ a: held() }, 'config: nothing to change')
    expect(await pidOf(client, 'a')).toBe(pid)
  })

  test('that is gone is one, until it is back', async () => {
    const scene = await serve({ a: held() })
    const pid = await pidOf(await scene.connect(), 'a')
    unlinkSync(scene.file)
    await soon(scene.serving, /config: refused.*\n +.*no config at/)
    await scene.edit({ a: held(), b: held() }, 'config: added b')
    expect(isAlive(pid)).toBe(true)
  })
})

describe('the file', { timeout: 40_000 }, () => {
  test('is followed when an editor puts another in its place', async () => {
    const scene = await serve({ a: held() })
    for (const id of ['b', 'c']) {
      const next = nextPrint(scene.serving, `config: added ${id}`)
      writeFileSync(`${scene.file}~`, configOf({ a: held(), [id]: held() }))
      renameSync(`${scene.file}~`, scene.file)
      await next
    }
  })

  test('is followed behind the links of a mounted config map', async () => {
    const site = createSite({})
    onTestFinished(() => site[Symbol.asyncDispose]())
    const publish = (version: string, plugins: Plugins) => {
      mkdirSync(join(site.dir, version))
      writeFileSync(join(site.dir, version, 'callboard.yaml'), configOf(plugins))
      symlinkSync(version, join(site.dir, '..data_tmp'))
      renameSync(join(site.dir, '..data_tmp'), join(site.dir, '..data'))
    }
    publish('..1', {})
    unlinkSync(join(site.dir, 'callboard.yaml'))
    symlinkSync(join('..data', 'callboard.yaml'), join(site.dir, 'callboard.yaml'))
    const serving = await site.serve()
    publish('..2', { a: held() })
    await soon(serving, 'config: added a')
    publish('..3', {})
    await soon(serving, 'config: removed a')
  })

  test('edited twenty times in a moment ends in the last edit', async () => {
    const scene = await serve({ same: held() })
    const client = await scene.connect()
    const pid = await pidOf(client, 'same')
    for (let edit = 1; edit <= 20; edit++) {
      const text = configOf({ same: held(), [`plugin${edit}`]: held() })
      // Every third one is broken, and every other one comes by rename.
      writeFileSync(edit % 2 === 0 ? `${scene.file}~` : scene.file, edit % 3 === 0 ? text.slice(0, -9) : text)
      if (edit % 2 === 0) renameSync(`${scene.file}~`, scene.file)
      await new Promise(setImmediate)
    }
    await soon(scene.serving, /plugin20 +up/)
    const { structuredContent } = await client.callTool({ name: 'list_mcp_tools', arguments: {} })
    expect(structuredContent).toMatchObject({ pluginIds: ['callboard', 'plugin20', 'same'] })
    expect(await pidOf(client, 'same')).toBe(pid)
  })
})
