/** Plugins and tools that are switched off and on while clients use them: gone on every path, at once, and for good. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { COMMAND } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { isAlive } from '../gateway/alive.ts'
import { connect, createSite, ERAS, type Era, type Serving, type Site, textOf } from '../gateway/callboard.ts'

const held = { mcp: fixtureCommand('held-server') }
const PLUGINS = { one: held, two: held }

function siteOf(more: object = {}, plugins: Readonly<Record<string, unknown>> = PLUGINS): Site {
  const site = createSite(plugins, { expose: 'all', ...more })
  onTestFinished(() => site[Symbol.asyncDispose]())
  return site
}

async function serve(site: Site, ...options: readonly string[]): Promise<Serving> {
  const serving = await site.serve(...options)
  const ids = options.includes('--only') ? ['one'] : ['one', 'two']
  await Promise.all(ids.map((id) => serving.prints(new RegExp(`^${id} +up`, 'm'))))
  return serving
}

async function clientOf(serving: Serving, era: Era = 'modern'): Promise<Client> {
  const client = await connect(era, serving)
  onTestFinished(() => client.close())
  return client
}

/** Runs a command with the site's config. */
async function run({ dir }: Site, ...words: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...words, '--config', join(dir, 'callboard.yaml')], { stdio: 'pipe' })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...written }
}

async function listed(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools()
  return tools.map(({ name }) => name).filter((name) => !name.endsWith('_mcp_tool') && !name.endsWith('_mcp_tools'))
}

async function pidOf(client: Client, plugin: string): Promise<number> {
  return Number(textOf(await client.callTool({ name: `${plugin}_pid`, arguments: {} })))
}

/** The answer's text, or the message of the error. */
async function said(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  return client.callTool({ name, arguments: args }).then(textOf, (error: Error) => error.message)
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

describe('a tool that is switched off', { timeout: 60_000 }, () => {
  test.each(ERAS)('is gone for a client that is connected (%s), at once, and the client is told', async (era) => {
    const site = siteOf()
    const client = await clientOf(await serve(site), era)
    expect(await listed(client)).toEqual(['one_hold', 'one_pid', 'two_hold', 'two_pid'])
    const changes = await countListChanges(client, era)
    expect(await run(site, 'tools', 'disable', 'one_pid')).toEqual({
      code: 0,
      stdout: 'plugin:one:pid\tdisabled\n',
      stderr: '',
    })
    await expect.poll(changes, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await listed(client)).toEqual(['one_hold', 'two_hold', 'two_pid'])
    await run(site, 'tools', 'enable', 'one_pid')
    expect(await pidOf(client, 'one')).toBeGreaterThan(0)
  })

  test('answers the call that it has, and takes no new one', async () => {
    const site = siteOf()
    const client = await clientOf(await serve(site))
    const pid = await pidOf(client, 'one')
    const file = join(site.dir, 'finish')
    const begun = Promise.withResolvers<void>()
    const answer = client.callTool(
      { name: 'one_hold', arguments: { file } },
      { onprogress: () => begun.resolve(), timeout: 60_000 },
    )
    await begun.promise
    expect((await run(site, 'tools', 'disable', 'one_hold')).code).toBe(0)
    const next = client.callTool({ name: 'one_hold', arguments: { file } })
    await expect(next).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('"one_hold"') })
    writeFileSync(file, '')
    expect(textOf(await answer)).toBe(String(pid))
    expect(await said(client, 'one_hold', { file })).toContain('no tool named "one_hold"')
  })

  test('is on no path what one that was never there is not', async () => {
    const site = siteOf()
    const client = await clientOf(await serve(site))
    await run(site, 'tools', 'disable', 'plugin:one:pid')
    for (const name of ['one_pid', 'plugin:one:pid']) {
      expect(await said(client, name)).toMatch(new RegExp(`no tool named "${name}"`))
      expect(await said(client, name)).not.toMatch(/did you mean .*one[_:]pid/)
      expect(await said(client, 'call_mcp_tool', { tool_name: name })).toMatch(/no tool named/)
      expect(await said(client, 'get_mcp_tool', { tool_name: name })).not.toContain('the tool pid')
    }
    expect(await said(client, 'list_mcp_tools', { plugin: 'one' })).not.toContain('one_pid')
    expect(await said(client, 'search_mcp_tools', { query: 'one_pid' })).not.toContain('`one_pid`')
    expect(await said(client, 'one_pidd')).not.toMatch(/one_pid"/)
    const [list, search, show, call] = await Promise.all([
      run(site, 'list'),
      run(site, 'search', 'pid'),
      run(site, 'show', 'one_pid'),
      run(site, 'call', 'plugin:one:pid'),
    ])
    expect(list.stdout).toContain('plugin:one:hold')
    for (const { stdout } of [list, search]) expect(stdout).not.toContain('plugin:one:pid')
    expect([show.code, call.code]).toEqual([66, 66])
    expect((await run(site, 'tools')).stdout).toMatch(/^plugin:one:pid\tdisabled\t.*\tone_pid\n$/)
  })

  test('stays off after a restart, after a reload of the config, and when its plugin comes back', async () => {
    const site = siteOf()
    expect((await run(site, 'tools', 'disable', 'one_pid')).code).toBe(0)
    const serving = await serve(site)
    const client = await clientOf(serving)
    expect(await listed(client)).not.toContain('one_pid')
    const edit = async (plugins: object, says: RegExp) => {
      const settings = { dataDir: 'data', http: { listen: '127.0.0.1:0' }, expose: 'all', plugins }
      writeFileSync(join(site.dir, 'callboard.yaml'), JSON.stringify(settings))
      await serving.prints(says)
    }
    await edit({ two: held }, /config: removed one/)
    await edit({ two: held, one: { ...held, prefix: 'uno_' } }, /config: added one/)
    await expect.poll(() => listed(client), { timeout: 10_000 }).toEqual(['two_hold', 'two_pid', 'uno_hold'])
    // By the public name that it had, since it has none now.
    expect((await run(site, 'tools', 'enable', 'one_pid')).stdout).toBe('plugin:one:pid\tenabled\n')
    expect(await pidOf(client, 'uno')).toBeGreaterThan(0)
  })

  test('is named in an error where it is not there, with those that may be meant', async () => {
    const site = siteOf()
    const unknown = await run(site, 'tools', 'disable', 'one_pit')
    expect([unknown.code, unknown.stderr]).toEqual([
      66,
      expect.stringMatching(/^callboard: no tool named "one_pit"; did you mean "plugin:one:pid"/),
    ])
    await run(site, 'tools', 'disable', 'one_pid')
    const misspelt = await run(site, 'tools', 'enable', 'one_pit')
    expect(misspelt.stderr).toContain(
      'no tool is switched off that is or was named "one_pit"; did you mean "plugin:one:pid"?',
    )
  })
})

describe('a plugin that is switched off', { timeout: 60_000 }, () => {
  test('answers the calls that it has, is ended then, and takes no new ones; switched on, it is started', async () => {
    const site = siteOf()
    const serving = await serve(site)
    const client = await clientOf(serving)
    const pid = await pidOf(client, 'one')
    const file = join(site.dir, 'finish')
    const begun = Promise.withResolvers<void>()
    const answer = client.callTool(
      { name: 'one_hold', arguments: { file } },
      { onprogress: () => begun.resolve(), timeout: 60_000 },
    )
    await begun.promise
    const off = await run(site, 'plugins', 'disable', 'one', '--json')
    expect([off.code, off.stderr]).toEqual([0, ''])
    expect(JSON.parse(off.stdout).plugins).toMatchObject([
      { id: 'one', state: 'disabled', tools: 0, reason: 'switched off; on again with `callboard plugins enable one`' },
    ])
    await serving.prints(/^one +disabled/m)
    expect(await said(client, 'one_pid')).toContain('no tool named "one_pid"')
    expect(await listed(client)).toEqual(['two_hold', 'two_pid'])
    expect(isAlive(pid)).toBe(true)
    writeFileSync(file, '')
    expect(textOf(await answer)).toBe(String(pid))
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    expect((await run(site, 'plugins', 'restart', 'one')).stderr).toContain("can't be restarted: switched off")
    const on = await run(site, 'plugins', 'enable', 'one')
    expect([on.code, on.stdout]).toEqual([0, expect.stringMatching(/^one\tmcp\tup\t2\t/)])
    expect(await pidOf(client, 'one')).not.toBe(pid)
  })

  test.each(ERAS)(
    'is gone for a client that is connected (%s), and the client is told, as when it is back',
    async (era) => {
      const site = siteOf()
      const client = await clientOf(await serve(site), era)
      expect(await listed(client)).toEqual(['one_hold', 'one_pid', 'two_hold', 'two_pid'])
      const changes = await countListChanges(client, era)
      expect(changes()).toBe(0)
      expect((await run(site, 'plugins', 'disable', 'one')).code).toBe(0)
      await expect.poll(changes, { timeout: 10_000 }).toBeGreaterThan(0)
      expect(await listed(client)).toEqual(['two_hold', 'two_pid'])
      const told = changes()
      expect((await run(site, 'plugins', 'enable', 'one')).code).toBe(0)
      await expect.poll(changes, { timeout: 10_000 }).toBeGreaterThan(told)
      expect(await listed(client)).toEqual(['one_hold', 'one_pid', 'two_hold', 'two_pid'])
    },
  )

  test('is not started by any command or host, until it is switched on', async () => {
    const site = siteOf()
    await run(site, 'plugins', 'disable', 'one')
    const { stdout } = await run(site, 'plugins')
    expect(stdout).toMatch(/^one\tmcp\tdisabled\t0\t.*\ntwo\tmcp\tup\t2\t/)
    expect((await run(site, 'call', 'one_pid')).code).toBe(66)
    expect((await run(site, 'serve', '--stdio', '--only', 'one')).stderr).toContain('plugin "one" is disabled')
    expect((await run(site, 'doctor')).code).toBe(0)
    const serving = await site.serve()
    await serving.prints(/^two +up/m)
    expect(await listed(await clientOf(serving))).toEqual(['two_hold', 'two_pid'])
    expect((await run(site, 'plugins', 'enable', 'one')).code).toBe(0)
    await serving.prints(/^one +up/m)
  })

  test('by the config stays off, and the error says that the config goes first', async () => {
    const site = siteOf({}, { ...PLUGINS, old: { ...held, enabled: false } })
    const { code, stderr } = await run(site, 'plugins', 'enable', 'old')
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('plugin "old" is switched off in the config, which goes first'),
    ])
    expect((await run(site, 'plugins', 'disable', 'tow')).stderr).toContain('no plugin "tow"; there are old, one, two')
  })

  test('is so in a host too that no command comes to, such as one of a single plugin', async () => {
    const site = siteOf()
    const client = await clientOf(await serve(site, '--only', 'one'))
    expect(await client.listTools()).toMatchObject({ tools: [{ name: 'hold' }, { name: 'pid' }] })
    await run(site, 'tools', 'disable', 'one_pid')
    await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 10_000 }).toBe(1)
    await run(site, 'plugins', 'disable', 'one')
    await expect.poll(async () => (await client.listTools()).tools.length, { timeout: 10_000 }).toBe(0)
    expect(await said(client, 'hold')).toContain('"one" has no tool named "hold"')
  })
})
