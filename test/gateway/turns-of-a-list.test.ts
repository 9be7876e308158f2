/** While a server's list of ten thousand tools changes, everybody else gets a turn all the time. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../fixtures/fixture.ts'
import { modernCall, raw } from '../http/surface.ts'
import { createSite } from './callboard.ts'
import { Metered } from './metered.ts'

// A process writes eight megabytes for each change and another one reads them, which a busy machine lets wait.
vi.setConfig({ testTimeout: 90_000 })

const TOOLS = 10_000
/** What a turn may take of the processor. */
const TURN_MS = 50

let server: HttpFixture

beforeAll(async () => {
  server = await startHttpFixture('long-list-server')
})

afterAll(() => server.stop())

test.each(['process', 'http'])('of %s, one of them or all of them', async (way) => {
  await using site = createSite({
    long: { mcp: way === 'http' ? { url: server.url } : fixtureCommand('long-list-server') },
  })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const ask = async (name: string, args: Record<string, unknown>): Promise<string> =>
    (await raw(url, modernCall(name, args))).text
  const seesVersion = (version: string, index: number): Promise<void> =>
    expect
      .poll(() => ask('get_mcp_tool', { tool_name: `long_tool-${index}` }), { timeout: 30_000, interval: 100 })
      .toContain(`${version} of tool ${index}.`)
  const change = async (count: number): Promise<void> => {
    const [version = ''] = /version \d+/.exec(await ask('long_change', { count })) ?? []
    await seesVersion(version, count - 1)
  }
  await seesVersion('version 0', 0)
  for (const count of [TOOLS, 1, TOOLS]) await change(count)
  await metered.measured()
  // The store is written behind each, which the next one waits for.
  for (const count of [1, TOOLS, 1, TOOLS, 1]) await change(count)
  const { longestMs } = await metered.measured()

  expect(longestMs).toBeLessThan(TURN_MS)
})
