/** What a client over HTTP, whom the host does not know, learns of the users of the config: nothing. */
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { raw } from '../http/surface.ts'
import { connect, createSite, ERAS } from './callboard.ts'

const PEOPLE = {
  user: 'amalia',
  roles: { guest: ['cli.access', 'shown.*'] },
  users: { amalia: { roles: ['guest'] }, zebulon: { roles: ['guest'] }, quentin: { roles: [], disabled: true } },
}

test.each(ERAS)('no answer over HTTP names a user, whatever is refused, %s', async (era) => {
  const plugins = {
    shown: { mcp: fixtureCommand('odd-names-server') },
    hidden: { mcp: fixtureCommand('echo-server') },
  }
  await using site = createSite(plugins, PEOPLE)
  const { url, prints } = await site.serve()
  await Promise.all([prints(/shown +up/), prints(/hidden +up/)])
  const client = await connect(era, { url })
  const heard: unknown[] = [client.getInstructions(), await client.listTools()]
  const ask = async (name: string, args: Record<string, unknown>): Promise<void> => {
    const answer = client.callTool({ name, arguments: args })
    heard.push(await answer.catch((error: unknown) => String(error)))
  }
  await ask('list_mcp_tools', {})
  await ask('search_mcp_tools', { query: 'user zebulon' })
  await ask('get_mcp_tool', { tool_name: 'hidden_pid' })
  await ask('call_mcp_tool', { tool_name: 'hidden_pid' })
  await ask('call_mcp_tool', { tool_name: 'shown_twice', arguments: { user: 'zebulon' }, provider: 'x' })
  await ask('hidden_pid', {})
  await client.close()
  heard.push(await raw(url, { body: { user: 'nobody' } }))
  heard.push(
    await raw(url, { headers: { 'mcp-session-id': 'nobody' }, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
  )
  const said = JSON.stringify(heard)
  expect(said).toContain('shown_twice')
  expect(said.replaceAll('user zebulon', '')).not.toMatch(/amalia|zebulon|quentin|owner/)
})
