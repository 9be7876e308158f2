/** Patterns on which a backtracking engine would never end: the host answers, and goes on. */
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, ERAS } from './callboard.ts'

const tools = [
  {
    name: 'plain',
    inputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } },
  },
]

test('arguments that fit a pattern with nested repetitions but for the last character are answered', async () => {
  await using site = createSite({ raw: { mcp: fixtureCommand('raw-server', JSON.stringify(tools)) } })
  const serving = await site.serve()
  await serving.prints(/raw +up/)
  for (const era of ERAS) {
    const client = await connect(era, serving)
    const call = (s: string) => client.callTool({ name: 'raw_plain', arguments: { s } })
    expect(await call(`${'a'.repeat(5_000)}!`)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('s: ') }],
    })
    expect(await call('a'.repeat(5_000))).toMatchObject({ content: [{ text: 'done' }] })
    await client.close()
  }
})
