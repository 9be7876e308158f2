/** supergateway: turns stdio into HTTP and the other way round. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, textOf } from '../gateway/callboard.ts'
import { connectTo, greetingSite, programArgs, start, useTools } from './client-programs.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

test('it lists and calls over stdio, in front of a Callboard that serves over HTTP', async () => {
  await using site = await greetingSite()
  const client = await connectTo([...programArgs('supergateway'), '--streamableHttp', site.url], site)
  await useTools(client)
  await client.close()
})

test('it offers over HTTP what Callboard serves over stdio', async () => {
  await using site = await greetingSite()
  const port = String(await freePort())
  const command = [process.execPath, ...site.stdio].map((word) => JSON.stringify(word)).join(' ')
  const to = ['--outputTransport', 'streamableHttp', '--stateful', '--port', port]
  await using gateway = start([...programArgs('supergateway'), '--stdio', command, ...to], site)
  await gateway.prints(`Listening on port ${port}`)
  const client = await connect('legacy', { url: `http://127.0.0.1:${port}/mcp` })
  await useTools(client)
  await client.close()
  expect(gateway.child.exitCode).toBeNull()
})

test('what it offers over HTTP+SSE is reached by Callboard, whether the config says so or not', async () => {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/sse`
  await using site = createSite({ said: { mcp: { url, type: 'sse' } }, found: { mcp: { url } } })
  const { command, args } = fixtureCommand('sdk-server')
  const words = [command, ...args].map((word) => JSON.stringify(word)).join(' ')
  const to = ['--outputTransport', 'sse', '--port', port]
  await using gateway = start([...programArgs('supergateway'), '--stdio', words, ...to], site)
  await gateway.prints(`Listening on port ${port}`)
  const serving = await site.serve()
  const client = await connect('legacy', { url: serving.url })
  for (const plugin of ['said', 'found']) {
    const params = { name: `${plugin}_greet`, arguments: { name: 'Ana' } }
    expect(textOf(await client.callTool(params))).toBe('hello Ana')
  }
  await client.close()
})
