/** mcp-remote: clients that speak stdio alone, in front of a Callboard that serves over HTTP. */
import { test } from 'vitest'
import { connectTo, greetingSite, programArgs, useTools } from './client-programs.ts'

test('it lists and calls', async () => {
  await using site = await greetingSite()
  const client = await connectTo([...programArgs('mcp-remote'), site.url, '--transport', 'http-only'], site)
  await useTools(client)
  await client.close()
})
