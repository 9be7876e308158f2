/** A plugin of `definePlugin()` as a process of its own: `servePlugin()` answers whatever a host asks. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import {
  Asker,
  dialLink,
  type Link,
  pluginUri,
  type ServedRequest,
  serveLink,
  type Transport,
} from '@callboard/sdk/external'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Progress } from '../../packages/callboard/src/plugins/plugin.ts'
import { textOf, toolCall } from '../fixtures/plugin-calls.ts'
import { createParty } from '../link/credentials.ts'
import { type StartedPlugin, startExternal } from './started-plugin.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/served-plugin.ts')
const COMMAND = [process.execPath, FIXTURE] as const
const ID = 'acme/echo'

function definition(name: string): ToolDefinition {
  return { package: ID, name, action: name }
}

/** Frames on a link that no `PluginPeer` has said hello on. */
function stranger(link: Link): Asker {
  return new Asker(link)
}

describe.each<Transport>(['quic', 'tls'])('over %s', (transport) => {
  let plugin: StartedPlugin
  let served: ServedRequest[] = []
  beforeAll(async () => {
    plugin = await startExternal({ command: COMMAND, transport })
    void serveLink(plugin.link, async (request) => {
      served.push(request)
      const { body } = request
      if (body.case !== 'toolCall') throw new Error(`a host does not serve ${body.case}`)
      if (body.value.toolName === 'nothing') throw new Error('there is no tool "nothing"')
      const content = [{ type: 'text', text: `${body.value.toolName} ran` }]
      return { case: 'toolCall', value: { success: true, resultJson: Buffer.from(JSON.stringify({ content })) } }
    })
  }, 60_000)
  afterAll(() => plugin[Symbol.asyncDispose]())
  afterEach(() => {
    served = []
  })

  function call(name: string, args = {}, more: Parameters<typeof toolCall>[2] = {}, requestId?: string) {
    return plugin.peer.call(toolCall(definition(name), args, more), requestId)
  }

  test('it says who it is, what it offers and that it is well', async () => {
    expect(plugin.peer.manifest).toMatchObject({
      id: ID,
      version: '1.2.3',
      title: 'Echo',
      language: 'javascript',
      permissions: ['acme.echo.use'],
    })
    const { tools, reports } = await plugin.peer.listTools(AbortSignal.timeout(10_000))
    expect(reports).toEqual([])
    expect(tools.map(({ name }) => name)).toEqual(plugin.peer.manifest.providesTools)
    expect(tools[0]).toMatchObject({
      name: 'echo',
      title: 'Echo',
      description: 'Says it again',
      permission: 'acme.echo.use',
      readOnly: true,
      inputSchema: { type: 'object', required: ['text'] },
    })
    expect(await plugin.peer.health(AbortSignal.timeout(10_000))).toEqual({ isHealthy: true, reason: '' })
  })

  test('a call is run with its arguments, as its user and with its meta', async () => {
    expect(textOf(await call('echo', { text: '  hi ' }))).toBe('hi')
    const { structuredContent } = await call('who', {}, { user: 'ana', meta: { trace: 'x' } })
    expect(structuredContent).toEqual({ user: 'ana', meta: { trace: 'x' } })
  })

  test('pieces of an answer come in order, and the whole is the result', async () => {
    const pieces: (string | undefined)[] = []
    const result = await call('tell', {}, { onProgress: ({ message }: Progress) => void pieces.push(message) })
    expect(pieces).toEqual(['Once ', 'upon ', 'a time'])
    expect(textOf(result)).toBe('Once upon a time')
  })

  test('of steps that come faster than they are sent the newest arrives', async () => {
    const steps: Progress[] = []
    await call('count', {}, { onProgress: (step: Progress) => void steps.push(step) })
    expect(steps.at(-1)).toEqual({ progress: 100_000, total: 100_000, message: 'counting' })
    expect(steps.length).toBeLessThan(100_000)
  })

  test('a call back to the host names the call that it is for', async () => {
    expect(textOf(await call('ask', { name: 'plugin:acme/other:tool' }, {}, 'call-7'))).toBe(
      'plugin:acme/other:tool ran',
    )
    const { body } = served[0] ?? {}
    expect(body?.case === 'toolCall' && Buffer.from(body.value.argumentsJson).toString()).toBe('{"from":"ask"}')
    expect(body?.value).toMatchObject({ parentRequestId: 'call-7', wantsProgress: false })
    await expect(call('ask', { name: 'nothing' })).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'plugin "acme/echo": failed to run "ask": there is no tool "nothing"',
    })
  })

  test('a catalogue that answers at once is refused, and the error says what to do', async () => {
    await expect(call('search')).rejects.toThrow("await context.call('search_mcp_tools', { query })")
  })

  test.each([
    ['echo', {}, 'invalid_arguments', /invalid arguments for "echo": text: /],
    ['break', {}, 'tool_failed', /failed to run "break": the disk is full/],
    ['nothing', {}, 'unavailable', /there is no tool "nothing" here/],
  ])('the tool "%s" that can not run fails in words', async (name, args, code, message) => {
    await expect(call(name, args)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('where a tool broke is in the log of the plugin', async () => {
    await expect(call('break')).rejects.toThrow('the disk is full')
    await plugin.said('served-plugin.ts:')
  })

  test('an answer that says what is wrong is an answer', async () => {
    expect(await call('refuse')).toMatchObject({ isError: true, content: [{ text: /no such ticket/ }] })
  })

  test('a cancelled call is over at once, its action hears of it, and what it logged before arrived', async () => {
    const enough = new AbortController()
    const heard: unknown[] = []
    const write = (message: { readonly data: unknown }): void => {
      heard.push(message.data)
      enough.abort()
    }
    const calling = call('wait', {}, { signal: enough.signal, log: { level: 'debug', write } })
    await expect(calling).rejects.toThrow()
    expect(heard).toEqual([{ message: 'waiting', for: 'ever' }])
    await plugin.said('given up: the peer ')
  })

  test('a call whose time is up is answered, though its action waits on', async () => {
    const asker = stranger(plugin.link)
    const body = { case: 'toolCall', value: { toolName: 'wait', timeoutMs: 20n } } as const
    expect(await asker.ask(body)).toMatchObject({ case: 'fault', value: { code: 5, message: /longer than 20 ms/ } })
  })

  test('a host has to say hello first, and one thing that is known', async () => {
    const link = await plugin.dial()
    const asker = stranger(link)
    const ask = async (body: Parameters<Asker['ask']>[0]) => (await asker.ask(body)).value
    expect(await ask({ case: 'listTools', value: {} })).toMatchObject({ code: 3, message: /first request .* `hello`/ })
    expect(await ask({ case: 'hello', value: { version: 0 } })).toMatchObject({ code: 3, message: /no version 0/ })
    expect(await ask({ case: 'hello', value: { version: 9 } })).toMatchObject({ version: 1 })
    expect(await ask({ case: 'listPrompts', value: {} })).toMatchObject({
      code: 8,
      message: /nothing serves listPrompts/,
    })
    link.close()
  })

  test('it ends when it is asked to, after its calls', async () => {
    const own = await startExternal({ command: COMMAND, transport })
    await using _ended = own
    const answered = new Asker(own.link).ask({ case: 'toolCall', value: { toolName: 'wait', timeoutMs: 300n } })
    await own.peer.shutDown(10, AbortSignal.timeout(10_000))
    expect((await answered).case).toBe('fault')
    own.link.close()
    expect(await own.exited).toBe(0)
    expect(own.lines).toContain('served')
  })
})

test('a signal ends it, though something in it was left open', async () => {
  await using own = await startExternal({ command: COMMAND })
  await own.peer.call(toolCall(definition('cling')))
  own.child.kill('SIGTERM')
  expect(await own.exited).toBe(0)
  expect(await own.link.ended).toMatchObject({ kind: 'closed' })
})

test('a plugin that dies in a call takes it with it', async () => {
  await using own = await startExternal({ command: COMMAND, transport: 'tls' })
  await expect(own.peer.call(toolCall(definition('die')))).rejects.toMatchObject({ code: 'interrupted' })
  expect(await own.exited).toBe(7)
})

test('its port is for nobody but the host, by the certificate of another CA', async () => {
  await using own = await startExternal({ command: COMMAND, transport: 'tls' })
  const other = await createParty()
  const dialling = dialLink('tls', {
    address: own.address,
    credentials: { ...other.host, ca: own.party.host.ca },
    protocols: ['callboard/1'],
    expects: pluginUri(ID),
  })
  expect(await (await dialling).ended).toMatchObject({ kind: 'unknown-authority' })
  await own.said('was not let in')
})

test('--manifest prints what it is, and ends', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [FIXTURE, '--manifest'])
  const manifest = JSON.parse(stdout)
  expect(manifest).toMatchObject({ id: ID, version: '1.2.3', language: 'javascript', permissions: ['acme.echo.use'] })
  expect(manifest.tools[0]).toMatchObject({ name: 'echo', read_only: true, input_schema: { type: 'object' } })
  expect(stderr).toBe('served\n')
})

test.each([
  [[], /is started by its host, with --certs-dir FOLDER/],
  [['--certs-dir', '/nowhere'], /ca\.crt can't be read; it is in the folder that --certs-dir names/],
  [['--certs-dir', '/nowhere', '--transport', 'smoke'], /--transport smoke: there are quic and tls/],
  [['--certs-dir', '/nowhere', '--listen-addr', 'x'], /"x" is no address; expected host:port/],
])('started with %j it says what is wrong', async (words, message) => {
  const running = promisify(execFile)(process.execPath, [FIXTURE, ...words])
  await expect(running).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})
