/** What a plugin does through the host in the course of a call. */
import { expect, test } from 'vitest'
import type { InvokeRequest } from '../invoke/invoke-request.ts'
import { createLog } from '../log.ts'
import type { ToolCall } from '../plugins/plugin.ts'
import { ListedPlugin } from '../plugins/testing/listed-plugin.ts'
import { Secrets } from '../secrets.ts'
import { createPluginHost } from './create-plugin-host.ts'

function parentCall(more: Partial<ToolCall>): ToolCall {
  const definition = { package: 'acme', name: 'outer', action: 'outer' }
  const { signal } = new AbortController()
  return { definition, arguments: {}, user: 'ana', surface: 'mcp', signal, catalog: Object.create(null), ...more }
}

test.each([
  [{}, 'ana'],
  [{ within: ['acme.*'] }, { name: 'ana', within: ['acme.*'] }],
  [{ within: [] }, { name: 'ana', within: [] }],
])('another tool is called as the user of the call, narrowed as that is: %j', async (narrowing, user) => {
  const requests: InvokeRequest[] = []
  const run = async (request: InvokeRequest) => {
    requests.push(request)
    return { content: [] }
  }
  const host = createPluginHost(new ListedPlugin('acme', []), {
    log: createLog(new Secrets(), 'silent'),
    view: () => Promise.reject(new Error('not asked here')),
    invoker: () => ({ run }),
    healthOf: () => undefined,
    storage: { get: () => undefined, set: () => undefined },
  })
  await host.call(parentCall(narrowing), 'inner', { a: 1 })
  expect(requests).toMatchObject([{ name: 'inner', arguments: { a: 1 }, user, surface: 'mcp', via: 'outer' }])
})
