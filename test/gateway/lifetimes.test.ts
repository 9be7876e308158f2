/** What is left when the command ends, however it ends, and what a new start still knows. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { isAlive } from './alive.ts'
import { connect, createSite, type Serving, type Site, textOf } from './callboard.ts'

function siteOf(plugins: Readonly<Record<string, unknown>>): Site {
  const site = createSite(plugins)
  onTestFinished(() => site[Symbol.asyncDispose]())
  return site
}

/** Resolves when none of the processes is there any more; rejects after ten seconds. */
function gone(pids: readonly number[]): Promise<void> {
  return expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([])
}

/** The process ids of the server and of the child that it started, which ignores SIGTERM. */
async function pidsOf(serving: Serving): Promise<number[]> {
  await serving.prints(/family +up/)
  const client = await connect('modern', serving)
  const answer = await client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: 'family_pids' } })
  await client.close()
  return Object.values(JSON.parse(textOf(answer)) as Record<string, number>)
}

test('Ctrl-C ends the servers and what they started, and exits cleanly', async () => {
  const serving = await siteOf({ family: { mcp: fixtureCommand('grandchild-server') } }).serve()
  const pids = await pidsOf(serving)
  expect(pids).toHaveLength(2)
  expect(await serving.stop()).toBe(0)
  await gone(pids)
})

test('kill -9 of the command ends the servers and what they started', async () => {
  const serving = await siteOf({ family: { mcp: fixtureCommand('grandchild-server') } }).serve()
  const pids = await pidsOf(serving)
  serving.child.kill('SIGKILL')
  await gone(pids)
})

test('after a restart the tools of a server that is down are still found, and calling one says why it can not run', async () => {
  const script = join(import.meta.dirname, '../fixtures/paged-server.ts')
  const site = siteOf({ paged: { mcp: { command: process.execPath, args: ['./start.mjs'] } } })
  const start = join(site.dir, 'start.mjs')
  writeFileSync(start, `await import(${JSON.stringify(script)})`)
  const first = await site.serve()
  await first.prints(/paged +up, 78 tools/)
  expect(await first.stop()).toBe(0)
  rmSync(start)

  const second = await site.serve()
  await second.prints(/paged +down, 78 tools known: .*start\.mjs/s)
  const client = await connect('modern', second)
  onTestFinished(() => client.close())
  const found = await client.callTool({ name: 'search_mcp_tools', arguments: { query: 'tool-42' } })
  expect(found.structuredContent).toHaveProperty(['tools', 0, 'name'], 'paged_tool-42')
  const answer = await client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: 'paged_tool-42' } })
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toMatch(/"paged" is (down|starting)/)
})
