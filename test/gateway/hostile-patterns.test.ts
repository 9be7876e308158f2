/** Patterns on which a backtracking engine would never end: the host answers at once, and goes on. */
import { expect, test, vi } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, ERAS, textOf } from './callboard.ts'
import { Metered } from './metered.ts'

const tools = [
  {
    name: 'plain',
    inputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
  },
]

/** What a turn may take of the processor. */
const TURN_MS = 50

test('arguments that fit a pattern with nested repetitions but for the last character are answered at once', async () => {
  await using site = createSite({ raw: { mcp: fixtureCommand('raw-server', JSON.stringify(tools)) } })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const clients = await Promise.all(ERAS.map((era) => connect(era, { url })))
  // Lists are checked against schemas too, so the compiler of schemas is loaded here; that of the pattern is still to come.
  const listed = async () => Promise.all(clients.map((client) => client.callTool({ name: 'list_mcp_tools' })))
  await vi.waitFor(async () => expect((await listed()).map(textOf).join()).toContain('raw_plain'), { timeout: 20_000 })
  await metered.measured()

  for (const client of clients) {
    const call = (s: string) => client.callTool({ name: 'raw_plain', arguments: { s } })
    expect(await call(`${'a'.repeat(5_000)}!`)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('s: ') }],
    })
    expect(await call('a'.repeat(5_000))).toMatchObject({ content: [{ text: 'done' }] })
  }
  expect((await metered.measured()).longestMs).toBeLessThan(TURN_MS)
  await Promise.all(clients.map((client) => client.close()))
})
