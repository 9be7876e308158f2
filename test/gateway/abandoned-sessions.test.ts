/** Sessions of old clients that are opened and never used again take no more memory, however many they are. */
import { Agent, request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { initialize } from '../http/surface.ts'
import { createSite } from './callboard.ts'
import { Metered } from './metered.ts'

/** As many as are kept, and the half of it besides: by then whatever is made once has been made. */
const FEW = 1_500
const MANY = 10_000
/** What is left of those that made room may be this much, in megabytes: two hundred bytes each. */
const GROWTH = 2

/** Opens so many sessions, a few at a time. */
async function abandon(url: string, count: number, agent: Agent): Promise<void> {
  const body = JSON.stringify(initialize)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const open = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      request.on('error', reject)
      request.end(body)
    })
  let left = count
  const opening = Array.from({ length: 8 }, async () => {
    for (; left > 0; left -= 1) expect(await open()).toBe(200)
  })
  await Promise.all(opening)
}

test('ten thousand of them leave the heap as it was', { timeout: 60_000 }, async () => {
  await using site = createSite({})
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const agent = new Agent({ keepAlive: true })
  await abandon(url, FEW, agent)
  const { heap: before } = await metered.measured()
  await abandon(url, MANY, agent)
  const { heap: after } = await metered.measured()
  agent.destroy()
  expect(after - before).toBeLessThan(GROWTH)
})
