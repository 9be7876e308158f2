/** Clients that refuse a whole list for one tool, in front of a server that has such tools. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, type Site } from './callboard.ts'

const SOUND = [
  'anything',
  'draft7',
  'either',
  'empty',
  'list',
  'nullable',
  'plain',
  'recursive',
  'reference',
  'typeless',
]
const UNSOUND = ['again', 'dangling', 'draft4', 'outside', 'pattern', 'same', 'unknown', 'wrong']
const ALL = [...SOUND, ...UNSOUND].sort()

function oddSite(): Site {
  return createSite({ odd: { mcp: fixtureCommand('odd-schemas-server') } })
}

/** The client that most programs are built with, which compiles every output schema when it lists. */
async function oldClient(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

test('the first SDK lists them all, and takes what they answer', async () => {
  await using site = oddSite()
  const { url, prints } = await site.serve('--only', 'odd')
  await prints(/odd +up/)
  const client = await oldClient(url)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(ALL)
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)).toEqual(SOUND)
  for (const name of ALL) {
    const { structuredContent } = await client.callTool({ name })
    expect(structuredContent, name).toEqual(answer(name))
  }
  await client.close()
})

test('so does the second one in the old era', async () => {
  await using site = oddSite()
  const { url, prints } = await site.serve('--only', 'odd')
  await prints(/odd +up/)
  const client = await connect('legacy', { url })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(ALL)
  for (const name of ALL) {
    const { structuredContent } = await client.callTool({ name })
    expect(structuredContent, name).toEqual(answer(name))
  }
  await client.close()
})

test('a client of the modern era gets every output schema as the server has it', async () => {
  await using site = oddSite()
  const { url, prints } = await site.serve('--only', 'odd')
  await prints(/odd +up/)
  const client = await connect('modern', { url })
  const { tools } = await client.listTools()
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name)).toEqual(ALL)
  expect(tools.find(({ name }) => name === 'anything')?.outputSchema?.properties).toEqual({
    n: true,
    never: false,
  })
  await client.close()
})

/** What the old era demands: an object, and in it the answer of a tool whose schema is for anything else. */
function answer(name: string): unknown {
  if (name === 'list') return { result: [1] }
  return ['either', 'empty', 'nullable', 'reference', 'typeless'].includes(name) ? { result: { n: 1 } } : { n: 1 }
}
