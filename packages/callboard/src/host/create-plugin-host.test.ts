/** What a plugin does through the host in the course of a call. */
import { expect, test } from 'vitest'
import type { InvokeRequest } from '../invoke/invoke-request.ts'
import { createLog } from '../log.ts'
import type { PluginHost, ToolCall } from '../plugins/plugin.ts'
import { ListedPlugin } from '../plugins/testing/listed-plugin.ts'
import { Secrets } from '../secrets.ts'
import { createPluginHost } from './create-plugin-host.ts'

function parentCall(more: Partial<ToolCall>): ToolCall {
  const definition = { package: 'acme', name: 'outer', action: 'outer' }
  const { signal } = new AbortController()
  return { definition, arguments: {}, user: 'ana', surface: 'mcp', signal, catalog: Object.create(null), ...more }
}

function hostWith(run: (request: InvokeRequest) => Promise<{ content: readonly never[] }>): PluginHost {
  return createPluginHost(new ListedPlugin('acme', []), {
    log: createLog(new Secrets(), 'silent'),
    view: () => Promise.reject(new Error('not asked here')),
    invoker: () => ({ run }),
    healthOf: () => undefined,
    storage: { get: () => undefined, set: () => undefined },
  })
}

test.each([
  [{}, ['acme']],
  [{ callers: ['other'] }, ['other', 'acme']],
  [{ callers: ['acme', 'other'] }, ['acme', 'other']],
  [{ callers: ['other'], definition: { package: 'callboard', name: 'call_mcp_tool', action: 'x' } }, ['other']],
  [{ hasNoSlot: true }, undefined],
])('another tool is told whose slots its callers have: %j', async (more, callers) => {
  const requests: InvokeRequest[] = []
  await hostWith(async (request) => {
    requests.push(request)
    return { content: [] }
  }).call(parentCall(more), 'inner', {})
  expect(requests.map((request) => request.callers)).toEqual([callers])
})

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
  await hostWith(run).call(parentCall(narrowing), 'inner', { a: 1 })
  expect(requests).toMatchObject([{ name: 'inner', arguments: { a: 1 }, user, surface: 'mcp', via: 'outer' }])
})
