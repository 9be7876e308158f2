/** supergateway: turns stdio into HTTP and the other way round. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../gateway/callboard.ts'
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
