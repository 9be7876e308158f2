/** The table of who may, once more for the ways that have a process of their own, and for bridges to model providers. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { GOOD_KEY, type ModelServer, startModelServer } from '../fixtures/model-server.ts'
import { connect, createSite, ERAS } from '../gateway/callboard.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Each is a plugin with one tool; the names are so unlike that none is suggested for another. `nowhere` never was. */
const TOOLS = {
  permitted: { surfaces: ['mcp', 'cli'], permission: 'safe.open' },
  withheldd: { surfaces: ['mcp', 'cli'], permission: 'other.open' },
  mcpsingle: { surfaces: ['mcp'], permission: 'safe.open' },
  clialonee: { surfaces: ['cli'], permission: 'safe.open' },
  turnedoff: { surfaces: ['mcp', 'cli'], permission: 'safe.open', enabled: false },
} as const
type Tool = keyof typeof TOOLS
const NEVER = 'xyzzyquux'

const USERS = { owner: 'owner', member: 'ana', unknown: 'nobody', disabled: 'cem' } as const
type User = keyof typeof USERS

let models: ModelServer
let config: Readonly<Record<string, unknown>>
let stage: Stage

beforeAll(async () => {
  models = await startModelServer()
  const bridge = (provider: string) => ({
    ai: { provider, api: 'openai', model: 'a-model', apiKey: GOOD_KEY, baseUrl: models.url },
  })
  const vaults = Object.entries(TOOLS).map(([name, { surfaces, permission, ...more }]) => {
    const tools = { keep: ['echo'], overrides: { echo: { permission, surfaces } } }
    return [name, { mcp: fixtureCommand('echo-server'), tools, ...more }]
  })
  config = {
    plugins: { ...Object.fromEntries(vaults), 'bridge.mine': bridge('mine'), 'bridge.secret': bridge('secret') },
    roles: { member: ['safe.*', 'cli.access', 'ai.mine'], all: ['*'] },
    users: { ana: { roles: ['member'] }, cem: { roles: ['all'], disabled: true } },
  }
  stage = await createStage(config)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await models[Symbol.asyncDispose]()
})

function isThere(tool: Tool, user: User, surface: 'mcp' | 'cli'): boolean {
  const surfaces: readonly string[] = TOOLS[tool].surfaces
  const mayUse = user === 'owner' || (user === 'member' && tool !== 'withheldd')
  return mayUse && surfaces.includes(surface) && tool !== 'turnedoff'
}

/** With the name of what never was, and without what is suggested instead, which is what the name happens to be like. */
function sameName(answer: string, tool: string): string {
  return answer.replaceAll(tool, NEVER).replace(/; did you mean .*?\?/g, '')
}

/** Asks of a tool, and says whether the answer is that for a tool that never was, but for the name. */
async function isAsNever(tool: string, ask: (plugin: string) => Promise<unknown>): Promise<boolean> {
  const [answer, never] = [JSON.stringify(await ask(tool)), JSON.stringify(await ask(NEVER))]
  return sameName(answer, tool) === sameName(never, tool)
}

const toolNames = Object.keys(TOOLS) as Tool[]

/** Over stdio the user of the config acts, which is the owner or an enabled one of the config's own. */
describe.each(ERAS)('over stdio (%s)', (era) => {
  test.each(['owner', 'member'] as const)('for the %s', async (user) => {
    const { plugins, ...more } = config
    await using site = createSite(Object(plugins), { ...more, expose: 'all', user: USERS[user] })
    const client = await connect(era, site)
    try {
      const call = (name: string, args: Record<string, unknown> = {}) =>
        client.callTool({ name, arguments: args }).catch((error: Error) => error.message)
      const ways: readonly ((plugin: string) => Promise<unknown>)[] = [
        (plugin) => call(`${plugin}_echo`),
        (plugin) => call(`plugin:${plugin}:echo`),
        (plugin) => call('call_mcp_tool', { tool_name: `${plugin}_echo` }),
        (plugin) => call('get_mcp_tool', { tool_name: `plugin:${plugin}:echo` }),
        (plugin) => call('list_mcp_tools', { plugin }),
      ]
      for (const tool of toolNames)
        for (const [index, way] of ways.entries())
          expect([tool, index, await isAsNever(tool, way)]).toEqual([tool, index, !isThere(tool, user, 'mcp')])
      const listed = JSON.stringify(await client.listTools())
      for (const tool of toolNames) expect([tool, listed.includes(tool)]).toEqual([tool, isThere(tool, user, 'mcp')])
      expect(listed.includes('secret')).toBe(user === 'owner')
      const prompt = (provider: string) => call('ai_prompt', { prompt: 'x', provider })
      expect(await isAsNever('secret', async (name) => prompt(name === 'secret' ? name : NEVER))).toBe(user !== 'owner')
      expect(await isAsNever('bridge.secret', (id) => call(`plugin:${id}:ai_prompt`, { prompt: 'x' }))).toBe(
        user !== 'owner',
      )
    } finally {
      await client.close()
    }
  })
})

describe('on the command line, where no host runs', () => {
  test.each(Object.keys(USERS) as User[])('for the %s', async (user) => {
    const run = (...words: readonly string[]) => stage.run([...words, '--user', USERS[user]])
    const listed = await run('list')
    for (const tool of toolNames)
      expect([tool, listed.stdout.includes(tool)]).toEqual([tool, isThere(tool, user, 'cli')])
    if (user !== 'owner') expect(listed.stdout).not.toContain('secret')
    const never = await run('call', `plugin:${NEVER}:echo`)
    for (const tool of toolNames) {
      const answer = await run('call', `plugin:${tool}:echo`)
      const isNever = sameName(JSON.stringify(answer), tool) === sameName(JSON.stringify(never), tool)
      expect([tool, isNever]).toEqual([tool, !isThere(tool, user, 'cli')])
    }
    const prompt = (provider: string) => run('call', 'ai_prompt', '--prompt', 'x', '--provider', provider)
    expect(await isAsNever('secret', prompt)).toBe(user !== 'owner')
  })
})
