/** A server that wants more of its client than that can do, behind Callboard. */
import { expect, test } from 'vitest'
import { startHttpFixture } from '../fixtures/fixture.ts'
import { modernCall, raw } from '../http/surface.ts'
import { createSite } from './callboard.ts'

test('its refusal is 400 with its own code and data, on the first call of a client and on every other', async () => {
  await using fixture = await startHttpFixture('conformance-server', ['--era', 'modern'])
  await using site = createSite({ asking: { mcp: { url: fixture.url } } })
  const { url } = await site.serve('--only', 'asking')
  for (let nth = 1; nth <= 2; nth++) {
    const answer = await raw(url, modernCall('test_missing_capability'))
    expect({ status: answer.status, ...JSON.parse(answer.text) }).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
  }
})
