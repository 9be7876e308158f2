/**
 * The table of who may: a tool is there on every path, or on none, and where it is not, every path answers, byte for byte, as
 * where there never was such a tool. A new way to reach a tool is a path in `authorisation-stage.ts`, a new reason to be kept
 * from it a column here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raw } from '../http/surface.ts'
import { callModern, legacySession, tokenScene } from '../http/token-scene.ts'
import { type AuthorisationStage, authorisationStage, type Path, type Situation, USERS } from './authorisation-stage.ts'

const SURFACES: readonly Situation['surfaces'][] = [['mcp', 'cli'], ['mcp'], ['cli']]

/** What a token, or an application, leaves of a user's permissions; the command line has no such thing. */
const NARROWINGS = {
  'not narrowed': undefined,
  'narrowed to it': ['safe.*', 'cli.access'],
  'narrowed to something else': ['other.*', 'cli.access'],
  'narrowed to nothing': [],
} as const

type User = keyof typeof USERS
type Narrowing = keyof typeof NARROWINGS

interface Row extends Situation {
  readonly user: User
  readonly narrowing: Narrowing
}

const situations: readonly Situation[] = (['mcp', 'local'] as const).flatMap((kind) =>
  (['on', 'off', 'switched off', 'on, but the tool switched off'] as const).flatMap((plugin) =>
    SURFACES.flatMap((surfaces) => [true, false].map((granted) => ({ kind, plugin, surfaces, granted }))),
  ),
)

const rows: readonly Row[] = situations.flatMap((situation) =>
  keysOf(USERS).flatMap((user) => keysOf(NARROWINGS).map((narrowing) => ({ ...situation, user, narrowing }))),
)

/** Says in words what the code says in steps. */
function isThere({ plugin, surfaces, granted, user, narrowing }: Row, { surface }: Path): boolean {
  const mayUse = user === 'owner' || (user === 'member' && granted)
  const isWithin = narrowing === 'not narrowed' || narrowing === 'narrowed to it'
  return plugin === 'on' && surfaces.includes(surface) && mayUse && isWithin
}

let stage: AuthorisationStage
let current: Situation | undefined
/** What was answered where there never was such a tool. */
const blank = new Map<string, string>()

async function become(situation: Situation): Promise<void> {
  const isSame =
    current?.kind === situation.kind &&
    current.plugin === situation.plugin &&
    current.granted === situation.granted &&
    current.surfaces.join() === situation.surfaces.join()
  if (!isSame) await stage.become(situation)
  current = situation
}

/** The command line acts as whole users alone, and the owner knows of every plugin. */
function pathsOf({ narrowing, user }: Pick<Row, 'narrowing' | 'user'>): readonly Path[] {
  return stage.paths
    .filter(({ isCommand }) => narrowing === 'not narrowed' || isCommand !== true)
    .filter(({ isByToken }) => user !== 'unknown' || isByToken !== true)
    .filter(({ isOfPlugins }) => user !== 'owner' || isOfPlugins !== true)
}

function actingUser({ user, narrowing }: Pick<Row, 'user' | 'narrowing'>): Parameters<Path['ask']>[0] {
  const within = NARROWINGS[narrowing]
  return within === undefined ? USERS[user] : { name: USERS[user], within }
}

const keyOf = ({ granted, user, narrowing }: Pick<Row, 'granted' | 'user' | 'narrowing'>, { name }: Path) =>
  JSON.stringify([granted, user, narrowing, name])

beforeAll(async () => {
  stage = await authorisationStage()
  for (const granted of [true, false]) {
    await become({ kind: 'mcp', plugin: 'gone', surfaces: [], granted })
    for (const user of keysOf(USERS))
      for (const narrowing of keysOf(NARROWINGS))
        for (const path of pathsOf({ narrowing, user }))
          blank.set(keyOf({ granted, user, narrowing }, path), await path.ask(actingUser({ user, narrowing })))
  }
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose]())

describe('a tool', () => {
  test.each(rows)(
    'of a plugin of kind $kind that is $plugin, offered on $surfaces, granted to members: $granted, for the $user, $narrowing',
    { timeout: 60_000 },
    async (row) => {
      await become(row)
      for (const path of pathsOf(row)) {
        const answer = await path.ask(actingUser(row))
        const asIfGone = blank.get(keyOf(row, path))
        if (isThere(row, path)) expect([path.name, answer]).toEqual([path.name, expect.stringContaining(path.seen)])
        else expect([path.name, answer]).toEqual([path.name, asIfGone])
        expect(asIfGone).not.toContain(path.seen)
      }
    },
  )
})

/** What somebody had listed and opened before the token was revoked makes no difference afterwards. */
describe('a token that is revoked in mid-session', () => {
  test.each(
    (['owner', 'ana'] as const).flatMap((user) =>
      keysOf(NARROWINGS).map((narrowing) => ({ user, narrowing, permissions: NARROWINGS[narrowing] })),
    ),
  )('of $user, $narrowing, opens no path any more, to tools that are there or not', async ({ user, permissions }) => {
    const { host, url } = await tokenScene()
    const { text } = host.tokens.create({ name: 'mine', user, ...(permissions && { permissions }) })
    const session = await legacySession(url, text)
    const ways = (tool: string) => [
      () => session.call(tool),
      () => session.call('call_mcp_tool', { tool_name: tool }),
      () => session.call('get_mcp_tool', { tool_name: tool }),
      () => session.call('search_mcp_tools', { query: tool }),
      () => session.call('list_mcp_tools'),
      () => raw(url, { headers: session.headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      () => callModern(url, text, tool),
      () => callModern(url, text, 'call_mcp_tool', { tool_name: tool }),
    ]
    for (const ask of ways('echo_echo')) expect((await ask()).status).toBe(200)
    host.tokens.revoke('mine')
    for (const tool of ['echo_echo', 'no_such_tool'])
      for (const ask of ways(tool)) {
        const { status, text: answer, headers } = await ask()
        expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('invalid_token')])
        expect(JSON.parse(answer)).toEqual({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: 'the token is unknown or was revoked' },
        })
      }
  })
})

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[]
}
