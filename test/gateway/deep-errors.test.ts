/** A server's own error whose data are nested a hundred thousand levels deep, which no JSON writer can take. */
import { ProtocolError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, ERAS, textOf } from './callboard.ts'

const LEVELS = 100_000
const data = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`
const text = `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32050,"message":"quota exceeded","data":${data}}}`

test.each(ERAS)('costs the client its data and nobody anything else, %s', async (era) => {
  await using site = createSite({ raw: { mcp: fixtureCommand('raw-server') } })
  const serving = await site.serve('--only', 'raw')
  await serving.prints(/raw +up/)
  for (const to of [serving, { stdio: [...site.stdio, '--only', 'raw'] }]) {
    const client = await connect(era, to)
    const failed = await client.callTool({ name: 'raw', arguments: { text } }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ProtocolError)
    expect(failed).toMatchObject({
      code: -32050,
      message: expect.stringContaining('quota exceeded'),
      data: 'left out: it is nested deeper than 1000 levels',
    })
    expect(textOf(await client.callTool({ name: 'plain' }))).toBe('done')
    await client.close()
  }
})
