/** Clients of the real command that hardly read the large answers that they ask for, and one beside them that does. */
import { expect, test, vi } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { type SlowReader, startSlowReader } from '../http/slow-reader.ts'
import { call, modernCall, open, openSession, type RawRequest } from '../http/surface.ts'
import { createSite } from './callboard.ts'
import { Metered } from './metered.ts'

const BYTES = 100_000_000
const READERS = 12
/** What may wait for all clients, as docs/operating.md has it, in megabytes, and what else a host has. */
const MEGABYTES = 268 + 30

// A process makes a hundred megabytes for each of them.
vi.setConfig({ testTimeout: 120_000 })

async function lengthOf(url: string, request: RawRequest): Promise<number> {
  let length = 0
  for await (const chunk of await open(url, request)) length += chunk.length
  return length
}

test('twelve that take a byte now and then hold no more than all may, and one that reads has it whole', async () => {
  await using site = createSite({ big: { mcp: fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const headers = await openSession(url)
  const readers: SlowReader[] = []
  const cut: string[] = []
  metered.words.on('line', (line: string) => line.includes('cut off') && cut.push(line))
  try {
    for (let id = 1; id <= READERS; id += 1) {
      const legacy = { headers, body: call(id, 'big_big', { bytes: BYTES }) }
      readers.push(await startSlowReader(url, id % 2 === 0 ? legacy : modernCall('big_big', { bytes: BYTES })))
      if (id % 4 === 0) expect(await lengthOf(url, modernCall('big_big', { bytes: BYTES }))).toBeGreaterThan(BYTES)
    }
    await vi.waitFor(
      async () => {
        expect((await metered.measured()).buffers).toBeLessThan(MEGABYTES)
        // Two of them fit, one where the reader beside them was the last to come; the last ones have a second or two.
        expect(cut.length).toBeGreaterThanOrEqual(READERS - 2)
      },
      { timeout: 40_000, interval: 500 },
    )
    expect(cut.length).toBeLessThan(READERS)
    for (const line of cut)
      expect(JSON.parse(line)).toMatchObject({
        user: 'owner',
        tool: 'big_big',
        reason: expect.stringMatching('bytes wait'),
      })
  } finally {
    for (const reader of readers) reader[Symbol.dispose]()
  }
  await vi.waitFor(async () => expect((await metered.measured()).buffers).toBeLessThan(30), { timeout: 20_000 })
})
