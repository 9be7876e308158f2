/** A plugin that listens ends when nobody can come any more, and follows the renewal of its certificates. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'
import { type Address, dialLink, type Link, pluginUri, serveLink } from '@callboard/sdk/external'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PluginPeer } from '../../packages/callboard/src/plugins/external/plugin-peer.ts'
import { PluginServer, type PluginServerOptions } from '../../packages/sdk/src/external/serve/plugin-server.ts'
import { eventually, textOf, toolCall } from '../fixtures/plugin-calls.ts'
import { createParty, PLUGIN_ID, type TestParty } from '../link/credentials.ts'
import { writeCertificates } from './started-plugin.ts'

const plugin = definePlugin({ id: PLUGIN_ID, tools: [tool({ name: 'echo', run: () => 'hi' })] })

let certificates: string
let party: TestParty
let said: string[]
let server: PluginServer

beforeEach(async () => {
  certificates = await mkdtemp(join(tmpdir(), 'certificates-'))
  party = await createParty()
  said = []
  await writeCertificates(certificates, party, pluginUri(PLUGIN_ID))
})
afterEach(async () => {
  await server.end(0)
  await rm(certificates, { recursive: true })
})

async function open(options: Partial<PluginServerOptions>, port = 0): Promise<void> {
  server = await PluginServer.open({
    plugin,
    asked: { address: { host: '127.0.0.1', port }, certificates, transport: 'tls' },
    report: (text) => said.push(text),
    ...options,
  })
}

function dial(address: Address = server.address): Promise<Link> {
  return dialLink('tls', {
    address,
    credentials: party.host,
    protocols: ['callboard/1'],
    expects: pluginUri(PLUGIN_ID),
  })
}

/** Resolves when the plugin says so. */
function toolsChanged(link: Link): Promise<void> {
  return new Promise((resolve) => {
    void serveLink(link, async ({ body }) => {
      if (body.case === 'toolsChanged') resolve()
      return { case: 'done', value: {} }
    })
  })
}

function greet(link: Link): Promise<PluginPeer> {
  return PluginPeer.greet(link, { pluginId: PLUGIN_ID, software: 'test', signal: AbortSignal.timeout(10_000) })
}

test('a plugin to which no host comes ends', async () => {
  await open({ lonelyMs: 50 })
  await server.ended
  expect(said).toEqual(['no host is there any more; ending'])
})

test('a link on which nobody says hello keeps no plugin alive', async () => {
  await open({ lonelyMs: 2_000 })
  const link = await dial()
  await server.ended
  expect((await link.ended).kind).toBe('closed')
})

test('it stays as long as a host is there, and ends when that has gone', async () => {
  await open({ lonelyMs: 2_000 })
  const link = await dial()
  const peer = await greet(link)
  const health = () => peer.health(AbortSignal.timeout(10_000))
  const until = performance.now() + 2_500
  await eventually(
    async () => (await health()).isHealthy && performance.now() > until,
    'an answer after longer than that',
  )
  link.close()
  await server.ended
})

test('one whose port was chosen beforehand waits for the next host', async () => {
  await open({})
  const { port } = server.address
  await server.end(0)
  await open({ lonelyMs: 0 }, port)
  const first = await dial()
  await greet(first)
  first.close()
  const second = await dial()
  expect((await greet(second)).manifest.id).toBe(PLUGIN_ID)
  expect(said).toEqual([])
})

test('it is as well as it says, and whatever goes wrong with saying so is a reason', async () => {
  const words: (string | undefined | Error)[] = [undefined, 'the disk is nearly full', new Error('no disk')]
  const health = async (): Promise<string | undefined> => {
    const word = words.shift()
    if (word instanceof Error) throw word
    return word
  }
  await open({ options: { health } })
  const peer = await greet(await dial())
  const ask = () => peer.health(AbortSignal.timeout(10_000))
  expect(await ask()).toEqual({ isHealthy: true, reason: '' })
  expect(await ask()).toEqual({ isHealthy: false, reason: 'the disk is nearly full' })
  expect(await ask()).toEqual({ isHealthy: false, reason: 'no disk' })
})

describe('a plugin that gets other tools', () => {
  let replace: (plugin: DefinedPlugin) => void
  let hasStopped: boolean

  beforeEach(async () => {
    hasStopped = false
    const watch = (given: typeof replace) => {
      replace = given
      return () => {
        hasStopped = true
      }
    }
    await open({ options: { watch } })
  })

  const withTool = (name: string, run: () => unknown, id = PLUGIN_ID): DefinedPlugin =>
    definePlugin({ id, tools: [tool({ name, run })] })
  const call = (peer: PluginPeer, name: string) => peer.call(toolCall({ package: PLUGIN_ID, name, action: name }))

  test('tells every host of them, and serves them', async () => {
    const links = [await dial(), await dial()]
    const peers = await Promise.all(links.map(greet))
    const told = links.map(toolsChanged)
    replace(withTool('fresh', () => 'new'))
    await Promise.all(told)
    for (const peer of peers) {
      const { tools } = await peer.listTools(AbortSignal.timeout(10_000))
      expect(tools.map(({ name }) => name)).toEqual(['fresh'])
      expect(textOf(await call(peer, 'fresh'))).toBe('new')
      await expect(call(peer, 'echo')).rejects.toThrow('there is no tool "echo" here')
    }
  })

  test('lets the calls of the old ones come to their end', async () => {
    const started = Promise.withResolvers<void>()
    const released = Promise.withResolvers<string>()
    const slow = (): Promise<string> => {
      started.resolve()
      return released.promise
    }
    replace(withTool('slow', slow))
    const peer = await greet(await dial())
    const calling = call(peer, 'slow')
    await started.promise
    replace(withTool('fresh', () => 'new'))
    released.resolve('old')
    expect(textOf(await calling)).toBe('old')
  })

  test('bears a host that serves nothing, or has gone', async () => {
    const link = await dial()
    await greet(link)
    void serveLink(link, () => Promise.reject(new Error('no ears')))
    replace(withTool('fresh', () => 'new'))
    await eventually(() => said.includes('the host hears of no other tools: no ears'), 'a word about the host')
    link.close()
    replace(withTool('fresher', () => 'newer'))
    const { tools } = await (await greet(await dial())).listTools(AbortSignal.timeout(10_000))
    expect(tools.map(({ name }) => name)).toEqual(['fresher'])
  })

  test('stays who it is', () => {
    expect(() => replace(withTool('echo', () => 'x', 'acme/other'))).toThrow(
      new TypeError('plugin "acme/echo" can\'t become "acme/other"; keep its id'),
    )
  })

  test('watches no longer than it serves', async () => {
    expect(hasStopped).toBe(false)
    await server.end(0)
    expect(hasStopped).toBe(true)
  })
})

test('new certificates are used for new links, and broken ones are not', async () => {
  await open({ renewalMs: 20 })
  const first = await dial()
  await writeFile(join(certificates, 'plugin.pem'), 'half a file')
  await eventually(() => said.length > 0, 'a word about the broken file')
  expect(said[0]).toMatch(/can't be renewed: .*plugin\.pem has to have a certificate and its key/)
  await writeCertificates(certificates, party, pluginUri(PLUGIN_ID))
  await eventually(() => said.includes('has new certificates'), 'new certificates')
  const second = await dial()
  expect(second.peer.fingerprint).not.toBe(first.peer.fingerprint)
  expect((await greet(first)).manifest.id).toBe(PLUGIN_ID)
})
