/** The application of examples/embed, run as it is, with real clients of two of its users. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningCommand, startProgram } from './cli/run-command.ts'
import { connectClient, initialize, modernCall, raw } from './http/surface.ts'

interface App {
  readonly run: RunningCommand
  /** Without a slash at its end. */
  readonly url: string
  /** The headers of a user. */
  as(user: string): Record<string, string>
}

let data: string
const running: App[] = []

async function startApp(): Promise<App> {
  const run = startProgram(['examples/embed/app.ts'], { env: { PORT: '0', XDG_DATA_HOME: data } })
  const as = (user: string) => ({
    authorization: `Bearer ${new RegExp(`key of ${user}: (\\S+)`).exec(run.written())?.[1]}`,
  })
  const app = () => ({ run, url: /box office at (\S+)\//.exec(run.written())?.[1] ?? '', as })
  running.push(app())
  await run.until(/box office at .*\n/)
  return app()
}

let app: App
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'callboard-embed-'))
  app = await startApp()
})
afterAll(async () => {
  for (const { run } of running) {
    run.child.kill('SIGKILL')
    await run.done
  }
  rmSync(data, { recursive: true, force: true })
})

const page = (user: string, path = '/', method = 'GET') => raw(app.url, { path, method, headers: app.as(user) })
async function withClient<T>(user: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectClient(`${app.url}/mcp`, user === 'ana' ? 'modern' : 'legacy', app.as(user))
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** What everybody has besides. */
const FOUR = ['call_mcp_tool', 'get_mcp_tool', 'list_mcp_tools', 'search_mcp_tools']
const TONIGHT = 'plugin-globe-playbill-globe-tonight'
const ANNOUNCE = 'plugin-globe-playbill-globe-announce'

describe('examples/embed', () => {
  test.each([
    ['ana', [ANNOUNCE, TONIGHT, 'seats-free', 'seats-sell']],
    ['ben', [TONIGHT, 'seats-free', 'seats-sell']],
  ])('shows %s the tools that are permitted, over MCP and on the page', async (user, names) => {
    const { tools } = await withClient(user, (client) => client.listTools())
    expect(tools.map(({ name }) => name).sort()).toEqual([...FOUR, ...names].sort())
    const { text } = await page(user)
    expect(text.match(/^\S+(?=: )/gm)).toEqual(names)
    expect(text).toMatch(new RegExp(`^hello, ${user}\n`))
  })

  test('runs the tools of both plugins as the user who asks', async () => {
    const played = await withClient('ana', async (client) => {
      await client.callTool({ name: ANNOUNCE, arguments: { text: 'Ariel is played by Zoe' } })
      return client.callTool({ name: TONIGHT, arguments: {} })
    })
    expect(played.structuredContent).toEqual({ play: 'The Tempest', announcements: ['Ariel is played by Zoe'] })
    const sold = await withClient('ben', (client) =>
      client.callTool({
        name: 'call_mcp_tool',
        arguments: { tool_name: 'seats-sell', arguments: { seat: 'G1', to: 'Mia' } },
      }),
    )
    expect(sold.content).toEqual([{ type: 'text', text: 'ben sold G1 to Mia' }])
  })

  test('knows no tool that the user may not use', async () => {
    const call = (name: string) =>
      withClient('ben', (client) => client.callTool({ name, arguments: { text: 'no show' } }))
    await expect(call(ANNOUNCE)).rejects.toMatchObject({ code: -32602 })
    const ask = (name: string) => {
      const { headers, ...request } = modernCall(name)
      return raw(app.url, { ...request, headers: { ...headers, ...app.as('ben') } })
    }
    const [hidden, unknown] = [await ask(ANNOUNCE), await ask('plugin-globe-playbill-globe-renounce')]
    expect(hidden.text.replaceAll(ANNOUNCE, 'plugin-globe-playbill-globe-renounce')).toBe(unknown.text)
  })

  test('says in words which arguments a user may not give', async () => {
    const refused = await withClient('ben', (client) =>
      client.callTool({ name: 'seats-sell', arguments: { seat: 'A2', to: 'Mia' } }),
    )
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('ben sells the gallery') }],
    })
  })

  test('uses the tools for its own pages', async () => {
    expect(await page('ana', '/sell?seat=A1&to=Leo', 'POST')).toMatchObject({
      status: 200,
      text: 'ana sold A1 to Leo\n',
    })
    expect((await page('ana', '/sell?seat=A1&to=Mia', 'POST')).text).toContain('seat A1 is not free')
    expect((await page('ana', '/sell?seat=A2', 'POST')).status).toBe(400)
    expect(await page('ben', '/sell?seat=A2&to=Mia', 'POST')).toMatchObject({
      status: 403,
      text: expect.stringContaining('ben sells the gallery'),
    })
    const free = await withClient('ben', (client) => client.callTool({ name: 'seats-free', arguments: {} }))
    expect(free.structuredContent).toEqual({ seats: expect.not.arrayContaining(['A1']) })
  })

  test('lets nobody in without a key', async () => {
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer guessed' }]) {
      expect((await raw(app.url, { path: '/', method: 'GET', headers })).status).toBe(401)
      const answer = await raw(app.url, { headers, body: initialize })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  test('ends when it is told to, with a client still connected', async () => {
    const ending = await startApp()
    const client = await connectClient(`${ending.url}/mcp`, 'legacy', ending.as('ben'))
    ending.run.child.kill('SIGTERM')
    expect(await ending.run.done).toMatchObject({ code: 0, stderr: '' })
    await client.close()
  })
})
