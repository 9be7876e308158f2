/** Arguments that a tool wants in headers too are held against them, for clients of 2026-07-28 over HTTP. */
import { expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call, modernCall, openSession, raw } from '../http/surface.ts'
import { connect, createSite, type Serving, type Site, textOf } from './callboard.ts'

const NAME = 'echo_mirror'
const ARGS = { region: 'eu west' }

function siteWith(more: object): Site {
  return createSite({ echo: { mcp: fixtureCommand('echo-server') } }, more)
}

async function up(site: Site): Promise<Serving> {
  const serving = await site.serve()
  await serving.prints(/echo {2}up/)
  return serving
}

async function callWith(url: string, headers: Record<string, string>) {
  const request = modernCall(NAME, ARGS)
  const answer = await raw(url, { ...request, headers: { ...request.headers, ...headers } })
  return { status: answer.status, ...JSON.parse(answer.text) }
}

test('a missing or wrong header is 400 with -32020, on the first call of a client and on every other', async () => {
  await using site = siteWith({ expose: 'all' })
  const { url } = await up(site)
  for (const headers of [{}, { 'mcp-param-region': 'us' }, { 'mcp-param-region': '=?base64?ZXUgd2VzdA?=' }, {}])
    expect(await callWith(url, headers)).toMatchObject({
      status: 400,
      id: 1,
      error: { code: -32020, data: { header: 'Mcp-Param-Region' } },
    })
  for (const header of ['eu west', '=?base64?ZXUgd2VzdA==?='])
    expect(await callWith(url, { 'mcp-param-region': header })).toMatchObject({
      status: 200,
      result: { content: [{ text: expect.stringContaining('"region":"eu west"') }] },
    })
})

test('a client on the official SDK repeats the arguments by itself, and the server behind gets them', async () => {
  await using site = siteWith({ expose: 'all' })
  const client = await connect('modern', await up(site))
  await client.listTools()
  expect(textOf(await client.callTool({ name: NAME, arguments: ARGS }))).toContain('"region":"eu west"')
  await client.close()
})

test('nothing is asked of clients of other times', async () => {
  await using site = siteWith({ expose: 'all' })
  const { url } = await up(site)
  const old = await raw(url, { headers: await openSession(url), body: call(2, NAME, ARGS) })
  expect(JSON.parse(old.text)).toMatchObject({ id: 2, result: { content: [{}] } })
})

test('nothing is asked for a tool that was not listed', async () => {
  await using site = siteWith({ expose: 'catalog' })
  const { url } = await up(site)
  expect(await callWith(url, {})).toMatchObject({ status: 200, result: { content: [{}] } })
})
