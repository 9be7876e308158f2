/** The whole command in front of servers that hang, are not there, crash, page, and name their tools badly. */
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite, ERAS, type Era, type Serving, type Site, textOf } from './callboard.ts'

const awkward = {
  hanging: { mcp: fixtureCommand('hang-server'), startTimeout: '2s' },
  // Longer than anything here is waited for: whoever waits for it fails.
  stuck: { mcp: fixtureCommand('hang-server'), startTimeout: '10m' },
  missing: { mcp: { command: 'callboard-no-such-command' } },
  crashing: { mcp: fixtureCommand('crash-server') },
  paged: { mcp: fixtureCommand('paged-server') },
  odd: { mcp: fixtureCommand('odd-names-server') },
  echo: { mcp: fixtureCommand('echo-server') },
}

let site: Site
let serving: Serving

beforeAll(async () => {
  site = createSite(awkward)
  serving = await site.serve()
  await Promise.all(
    ['paged', 'odd', 'echo', 'crashing'].map((id) => serving.prints(new RegExp(`${id} +up, \\d+ tool`))),
  )
})

afterAll(() => site[Symbol.asyncDispose]())

const ways = ERAS.flatMap((era) => (['HTTP', 'stdio'] as const).map((way) => [era, way] as const))

/** Asks until the answer is as wanted, for at most ten seconds. */
function eventually<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const wanted = async (): Promise<T> => {
    const answer = await ask()
    if (!isWanted(answer)) throw new Error(`not as wanted: ${JSON.stringify(answer)}`)
    return answer
  }
  return vi.waitFor(wanted, { timeout: 10_000 })
}

function run(client: Client, tool: string, args: Record<string, unknown> = {}) {
  return client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: tool, arguments: args } })
}

async function publicNames(client: Client, plugin: string): Promise<string[]> {
  const { structuredContent } = await client.callTool({ name: 'list_mcp_tools', arguments: { plugin, limit: 200 } })
  return (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name)
}

describe.each(ways)('a %s client over %s', (era: Era, way) => {
  let client: Client

  beforeAll(async () => {
    client = await connect(era, way === 'HTTP' ? serving : site)
  })

  afterAll(() => client.close())

  it('has all 78 tools of the server that pages by 25', async () => {
    const names = await eventually(
      () => publicNames(client, 'paged'),
      (found) => found.length === 78,
    )
    expect(names).toHaveLength(78)
    expect(textOf(await run(client, 'paged_tool-78'))).toBe('called tool-78')
  })

  it('has legal and unique names for tools with illegal and repeated ones, and can call each of them', async () => {
    const names = await eventually(
      () => publicNames(client, 'odd'),
      (found) => found.length > 0,
    )
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,48}$/)
    expect(new Set(names).size).toBe(names.length)
    const called = await Promise.all(names.map(async (name) => textOf(await run(client, name))))
    expect(called).toContain('called "files.read"')
    expect(called).toContain('called "files/read"')
    expect(called).toContain('called "查找文件"')
    expect(new Set(called).size).toBe(names.length)
  })

  it('is served by the good servers while one hangs and one is not there', async () => {
    const answer = await eventually(
      () => run(client, 'echo_echo', { message: 'hi' }),
      ({ isError }) => isError !== true,
    )
    expect(answer.isError).not.toBe(true)
  })

  it('is told of an unknown tool what it may have meant', async () => {
    await eventually(
      () => publicNames(client, 'paged'),
      (found) => found.length === 78,
    )
    const answer = await run(client, 'paged_tool-7')
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toContain('no tool named "paged_tool-7"; did you mean "paged_tool-')
    await expect(client.callTool({ name: 'paged_tool-7' })).rejects.toMatchObject({ code: -32602 })
  })

  it('is served anew by a server that crashed after its first call, and told meanwhile why it was away', async () => {
    const processes = new Set<unknown>()
    const reasons = new Set<string>()
    const hello = async () => {
      const answer = await run(client, 'crashing_hello')
      if (answer.isError === true) reasons.add(textOf(answer))
      else processes.add(answer._meta?.pid)
      return [...processes, ...reasons]
    }
    await eventually(hello, () => processes.size > 1 && [...reasons].some((reason) => reason.includes('code 7')))
  })
})

test('what does not start is named with the reason', async () => {
  await serving.prints(/missing +down.*callboard-no-such-command/)
  await serving.prints(/hanging +down/)
})
