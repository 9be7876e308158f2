/** Clients of either era are told of changes of the list that they are shown, and of no other. */
import { expect, it, onTestFinished } from 'vitest'
import { LISTEN, open, raw, until } from './surface.ts'
import { bearing, legacySession, tokenScene, withHeaders } from './token-scene.ts'

/** How often a client with this token was told, from now on. */
type Told = () => number

async function subscribe(url: string, token: string): Promise<Told> {
  const stream = await open(url, withHeaders(LISTEN, bearing(token)))
  onTestFinished(() => void stream.destroy())
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  await until(() => text.includes('notifications/subscriptions/acknowledged'))
  return () => text.split('notifications/tools/list_changed').length - 1
}

async function openSession(url: string, token: string): Promise<Told> {
  const { headers, stream } = await legacySession(url, token)
  const events = await stream()
  onTestFinished(() => void events.destroy())
  let text = ''
  events.on('data', (chunk) => {
    text += chunk
  })
  await raw(url, { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  return () => text.split('notifications/tools/list_changed').length - 1
}

it.each([
  ['legacy', openSession],
  ['modern', subscribe],
] as const)('a client of the %s era', async (_, follow) => {
  const { host, url, config } = await tokenScene({ expose: 'all' })
  const tokenOf = (user: string): string => host.tokens.create({ name: user, user }).text
  await until(() => host.plugins().every(({ state }) => state === 'up'))
  const ana = await follow(url, tokenOf('ana'))
  const ben = await follow(url, tokenOf('ben'))

  const roles = (everything: string, talk: string) => ({ roles: { everything: [everything], talk: [talk] } })
  host.reconfigure(config(roles('*', 'echo.e*')))
  await until(() => ben() > 0)
  host.reconfigure(config(roles('echo.*', 'echo.e*')))
  await until(() => ana() > 0)
  host.reconfigure(config(roles('echo.*', 'echo.p*')))
  await until(() => ben() > 1)
  expect([ana(), ben()]).toEqual([1, 2])
})
