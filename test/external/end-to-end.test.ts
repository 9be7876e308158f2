/** External plugins behind the real command: over MCP and on the command line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { ExternalHome } from '../../packages/callboard/src/plugins/external/external-home.ts'
import { createStage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { callPlugin, eventually, isAlive, keptLog, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { textOf as answerOf, connect, createSite, ERAS } from '../gateway/callboard.ts'
import { WITHOUT_QUIC } from '../link/without-quic.ts'
import { externalPlugin, fixtureTarget } from './external-under-test.ts'

const entry = (...args: readonly string[]) => ({ external: fixtureCommand('external-plugin', ...args) })

test.each(ERAS)(
  'an MCP client of the %s era gets pieces of an answer as progress, and the whole as the result',
  async (era) => {
    await using site = createSite({ 'acme/ext': entry() }, { expose: 'all' })
    const client = await connect(era, { stdio: site.stdio })
    try {
      const messages: unknown[] = []
      const result = await client.callTool(
        { name: 'plugin-acme-ext-tell', arguments: { untilReleased: true } },
        {
          onprogress: ({ message }) => {
            messages.push(message)
            // They came while the tool still runs.
            if (message === 'a time') void client.callTool({ name: 'plugin-acme-ext-release', arguments: {} })
          },
        },
      )
      expect(answerOf(result)).toBe('Once upon a time')
      expect(messages).toEqual(['Once ', 'upon ', 'a time'])
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('plugin-acme-ext-tell')
      const asked = { name: 'plugin:acme/ext:echo', arguments: { text: 'again' } }
      expect(answerOf(await client.callTool({ name: 'plugin-acme-ext-ask', arguments: asked }))).toContain('again')
      const dead = await client.callTool({ name: 'plugin-acme-ext-die', arguments: {} })
      expect(dead).toMatchObject({ isError: true })
      expect(answerOf(dead)).toMatch(/went away during the call|closed|lost/)
    } finally {
      await client.close()
    }
  },
)

test('a plugin that runs one call at once may call its own tools from it', async () => {
  await using site = createSite({ 'acme/ext': { ...entry(), concurrency: 1, timeout: '10s' } }, { expose: 'all' })
  const client = await connect('modern', { stdio: site.stdio })
  try {
    const asked = { name: 'plugin:acme/ext:echo', arguments: { text: 'again' } }
    expect(answerOf(await client.callTool({ name: 'plugin-acme-ext-ask', arguments: asked }))).toContain('again')
  } finally {
    await client.close()
  }
})

test.each(ERAS)(
  'an MCP client of the %s era is told when a plugin has other tools, and finds how the plugin is',
  async (era) => {
    await using site = createSite({ 'acme/ext': entry('--sick', 'the disk is nearly full') }, { expose: 'all' })
    const serving = await site.serve()
    await serving.prints(/acme\/ext +degraded/)
    const client = await connect(era, serving)
    try {
      const names = async () => (await client.listTools()).tools.map(({ name }) => name)
      const told = Promise.withResolvers<void>()
      client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve())
      if (era === 'modern') await client.listen({ toolsListChanged: true })
      expect(await names()).not.toContain('plugin-acme-ext-fresh')
      await client.callTool({ name: 'plugin-acme-ext-grow', arguments: { name: 'fresh' } })
      await told.promise
      expect(await names()).toContain('plugin-acme-ext-fresh')
      const shown = async () => {
        const fresh = { tool_name: 'plugin-acme-ext-fresh' }
        return (await client.callTool({ name: 'get_mcp_tool', arguments: fresh })).structuredContent
      }
      expect(await shown()).toMatchObject({ state: 'degraded', stateReason: 'the disk is nearly full' })
      await client.callTool({ name: 'plugin-acme-ext-die', arguments: {} })
      await eventually(async () => /^(?:down|starting)$/.test(Object(await shown()).state), 'the end of the plugin')
    } finally {
      await client.close()
    }
  },
)

test('the command line lists, shows and calls its tools, and says why a dead one did not answer', async () => {
  await using stage = await createStage({ plugins: { 'acme/ext': entry() } })
  const listed = await stage.run(['list'])
  expect(listed.stdout).toContain('plugin:acme/ext:echo\texternal')
  expect(listed.stdout).toContain('plugin:acme/ext:tell\tstream')
  expect(await stage.run(['call', 'plugin:acme/ext:tell'])).toMatchObject({ code: 0, stdout: 'Once upon a time\n' })
  const dead = await stage.run(['call', 'plugin:acme/ext:die'])
  expect(dead.code).toBe(75)
  const plugins = JSON.parse((await stage.run(['plugins', '--json'])).stdout)
  expect(JSON.stringify(plugins)).toContain('"state":"up"')
  expect(await stage.run(['doctor'])).toMatchObject({ code: 0, stdout: expect.stringContaining('All is well.') })
})

test('on the command line pieces are printed as they come, and Ctrl-C cuts the stream of the call off', {
  timeout: 40_000,
}, async () => {
  await using stage = await createStage({ plugins: { 'acme/ext': entry() } })
  const words = ['call', 'plugin:acme/ext:tell', '--args', '{"untilReleased":true}', '--log-level', 'info']
  const { child, until, done } = stage.start(words)
  await until('Once upon a time')
  child.kill('SIGINT')
  const { code, stdout, stderr } = await done
  expect(stderr).toContain('given up: the peer cut the stream off with code 1')
  expect([code, stdout]).toEqual([130, 'Once upon a time\n'])
})

test.each(ERAS)(
  'what an MCP client of the %s era cancels is a stream that is cut off',
  { timeout: 40_000 },
  async (era) => {
    await using site = createSite({ 'acme/ext': entry() })
    const serving = await site.serve('--log-level', 'info')
    await serving.prints(/acme\/ext +up/)
    const client = await connect(era, serving)
    const enough = new AbortController()
    const options = { signal: enough.signal, onprogress: () => enough.abort() }
    await expect(client.callTool({ name: 'plugin:acme/ext:wait', arguments: {} }, options)).rejects.toThrow()
    await serving.prints('given up: the peer cut the stream off with code 1')
    await client.close()
  },
)

test('a plugin that `servePlugin` serves is one like every other', async () => {
  await using stage = await createStage({ plugins: { 'acme/echo': { external: fixtureCommand('served-plugin') } } })
  const call = (name: string, ...words: readonly string[]) => stage.run(['call', `plugin:acme/echo:${name}`, ...words])
  expect(await call('tell')).toMatchObject({ code: 0, stdout: 'Once upon a time\n' })
  expect(await call('echo', '--text', ' hi ')).toMatchObject({ code: 0, stdout: 'hi\n' })
  expect((await call('die')).code).toBe(75)
})

test('where QUIC does not load, plugins are served over TLS, and the doctor says why', async () => {
  await using stage = await createStage({ plugins: { 'acme/ext': entry() } })
  const { code, stdout } = await stage.start(['doctor'], { nodeArgs: WITHOUT_QUIC }).done
  expect(stdout).toContain(
    "note: external plugins use TLS over TCP, because QUIC can't be used here: QUIC does not load on",
  )
  expect(stdout).toMatch(/acme\/ext\tup\t/)
  expect(code).toBe(0)
})

test.each([
  { moment: 'starts', words: ['--never-ready'], prints: 'Serving MCP' },
  { moment: 'serves', words: [], prints: /slow +up/ },
])('a host that is killed while it $moment a plugin leaves nothing of it', async ({ words, prints }) => {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-pid-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pid')
  await using stage = await createStage({
    http: { listen: '127.0.0.1:0' },
    plugins: { slow: entry('--id', 'slow', '--pid-file', file, ...words) },
  })
  const { child, until } = stage.start(['serve', '--http'])
  await until(prints)
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'the start of the plugin')
  const pid = Number(readFileSync(file, 'utf8'))
  child.kill('SIGKILL')
  await eventually(() => !isAlive(pid), 'the end of the plugin')
})

test('a plugin that runs elsewhere is dialled with the certificates that the host put there, and goes on after the host', async () => {
  const elsewhere = fixtureCommand('external-plugin', '--transport', 'tls')
  // Once only for the certificates.
  await using first = externalPlugin({ kind: 'address', address: '127.0.0.1:9' })
  await startPlugin(first.plugin).catch(() => {})
  const certs = join(first.folder, 'plugins', 'acme+ext.plugin', 'certs')
  const child = spawn(elsewhere.command, [...elsewhere.args, '--certs-dir', certs], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const [line] = await once(createInterface(child.stderr), 'line')
    const address = String(line).replace('READY ', '')
    const home = new ExternalHome(first.folder, keptLog().log)
    // Without a transport QUIC is tried first, where nobody is.
    await using under = externalPlugin({ kind: 'address', address }, { home })
    await startPlugin(under.plugin)
    expect(textOf(await callPlugin(under.plugin, 'pid'))).toBe(String(child.pid))
    expect(under.plugin.giveUp).toBeUndefined()
    await under.plugin.stop()
    expect(isAlive(child.pid ?? 0)).toBe(true)
    await startPlugin(under.plugin)
  } finally {
    child.kill('SIGKILL')
  }
})

test('one that listens with TLS alone is found there', async () => {
  await using under = externalPlugin(fixtureTarget(['--transport', 'tls']))
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
  expect(under.lines.some(({ msg }) => msg === 'the plugin is not there over quic; tls is tried')).toBe(true)
})
