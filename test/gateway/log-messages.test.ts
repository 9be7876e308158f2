/** Log messages that a server sends in the course of a call reach the client that made the call, and no other. */
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { next } from '../http/surface.ts'
import { connect, createSite, ERAS, type Era, type Serving, type Site } from './callboard.ts'

/** What the tool `log` of the fixture says. */
const SAID = { level: 'warning', logger: 'acme', data: { free: 3 } }

function siteWith(era: Era): Site {
  return createSite({ echo: { mcp: fixtureCommand('echo-server', '--era', era) } }, { expose: 'all' })
}

async function up(site: Site): Promise<Serving> {
  const serving = await site.serve()
  await serving.prints(/echo {2}up/)
  return serving
}

/** Everything that the client hears from now on. */
function heardBy(client: Client): unknown[] {
  const heard: unknown[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params))
  return heard
}

const wanting = (level: string) => ({ _meta: { 'io.modelcontextprotocol/logLevel': level } })

describe.each(ERAS)('from a server of the %s era', (behind) => {
  test('a client of 2025-11-25 hears them, over HTTP and stdio, also through call_mcp_tool', async () => {
    await using site = siteWith(behind)
    for (const way of [await up(site), { stdio: site.stdio }]) {
      const client = await connect('legacy', way)
      const heard = heardBy(client)
      await client.callTool({ name: 'echo_log', arguments: {} })
      await client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: 'echo_log', arguments: {} } })
      expect(heard).toEqual([SAID, SAID])
      await client.close()
    }
  })

  test('a client of 2025-11-25 hears none below the level that it set', async () => {
    await using site = siteWith(behind)
    const client = await connect('legacy', await up(site))
    const heard = heardBy(client)
    for (const level of ['error', 'warning'] as const) {
      await client.setLoggingLevel(level)
      await client.callTool({ name: 'echo_log', arguments: {} })
    }
    expect(heard).toEqual([SAID])
    await client.close()
  })

  test('a client of 2026-07-28 hears them when its request asks for them', async () => {
    await using site = siteWith(behind)
    for (const way of [await up(site), { stdio: site.stdio }]) {
      const client = await connect('modern', way)
      const heard = heardBy(client)
      await client.callTool({ name: 'echo_log', arguments: {} })
      await client.callTool({ name: 'echo_log', arguments: {}, ...wanting('error') })
      expect(heard).toEqual([])
      await client.callTool({ name: 'echo_log', arguments: {}, ...wanting('info') })
      expect(heard).toEqual([SAID])
      await client.close()
    }
  })

  test('nobody hears one that may belong to another call', async () => {
    await using site = siteWith(behind)
    const serving = await up(site)
    const [mine, other] = await Promise.all([connect('legacy', serving), connect('legacy', serving)])
    const heard = [heardBy(mine), heardBy(other)]
    const calls = new EventTarget()
    const waits = next(calls, 'waits')
    const over = new AbortController()
    const waiting = other.callTool(
      { name: 'echo_wait', arguments: { key: 'a' } },
      { signal: over.signal, onprogress: () => calls.dispatchEvent(new Event('waits')) },
    )
    await waits
    await mine.callTool({ name: 'echo_log', arguments: {} })
    over.abort()
    await expect(waiting).rejects.toThrow()
    expect(heard).toEqual([[], []])
    await Promise.all([mine.close(), other.close()])
  })
})
