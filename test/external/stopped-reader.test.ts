/** A plugin that is there and reads nothing more, behind the real command: it costs memory no more than its calls, and time nobody. */
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { eventually } from '../fixtures/plugin-calls.ts'
import { connect, createSite, textOf } from '../gateway/callboard.ts'
import { Metered } from '../gateway/metered.ts'

const TEXT = 'x'.repeat(1_000_000)
const AT_ONCE = 16
const ROUNDS = 16
/** A round in flight is several copies of its 16 MB; what all of them sent, were it kept, would be more than twice this. */
const MAX_GROWTH_MB = 120

function callMany(client: Client, plugin: string): Promise<readonly unknown[]> {
  const call = { name: `plugin:${plugin}:echo`, arguments: { text: TEXT } }
  return Promise.all(Array.from({ length: AT_ONCE }, () => client.callTool(call)))
}

test.each(['quic', 'tls'] as const)(
  'over %s, one that stops reading fails its own calls in time, fills no memory and holds up no other',
  { timeout: 120_000 },
  async (transport) => {
    const external = (id: string) => ({ ...fixtureCommand('external-plugin', '--id', id), transport })
    const plugins = {
      frozen: { external: external('frozen'), timeout: '400ms' },
      good: { external: external('good') },
    }
    await using site = createSite(plugins)
    await using metered = new Metered(site, '--http')
    const client = await connect('modern', { url: await metered.url() })
    const pidOf = (id: string) => client.callTool({ name: `plugin:${id}:pid`, arguments: {} }).then(textOf)
    const isUp = (id: string) =>
      pidOf(id).then(
        (text) => /^\d+$/.test(text),
        () => false,
      )
    await eventually(async () => (await isUp('good')) && (await isUp('frozen')), 'both plugins')
    for (let round = 0; round < 3; round++) await callMany(client, 'good')
    const before = await metered.measured()
    const pid = Number(await pidOf('frozen'))
    process.kill(pid, 'SIGSTOP')
    for (let round = 0; round < ROUNDS; round++) {
      const [failed, served] = await Promise.all([
        callMany(client, 'frozen'),
        client.callTool({ name: 'plugin:good:echo', arguments: { round } }),
      ])
      for (const answer of failed) expect(answer).toMatchObject({ isError: true })
      expect(textOf(failed[0])).toContain('gave no answer')
      expect(JSON.parse(textOf(served)).arguments).toEqual({ round })
    }
    const after = await metered.measured()
    expect(after.megabytes - before.megabytes).toBeLessThan(MAX_GROWTH_MB)
    expect(after.heap - before.heap).toBeLessThan(MAX_GROWTH_MB / 8)
    expect(after.buffers - before.buffers).toBeLessThan(MAX_GROWTH_MB / 2)
    await client.close()
  },
)
