/** The built-in plugin keeps the port: what the suite calls is what `call_mcp_tool` hands on to the host. */

import { CallboardError } from '../../packages/callboard/src/errors.ts'
import { createPluginHost } from '../../packages/callboard/src/host/create-plugin-host.ts'
import type { InvokeRequest } from '../../packages/callboard/src/invoke/invoke-request.ts'
import { BuiltinPlugin } from '../../packages/callboard/src/plugins/builtin/builtin-plugin.ts'
import type { ToolResult } from '../../packages/callboard/src/plugins/plugin.ts'
import { type PluginUnderTest, pluginContract } from '../contracts/plugin.contract.ts'
import { callPlugin, emptyHost, keptLog } from '../fixtures/plugin-calls.ts'

function text(content: string): ToolResult {
  return { content: [{ type: 'text', text: content }] }
}

const tools: Readonly<Record<string, (request: InvokeRequest) => ToolResult | Promise<ToolResult>>> = {
  echo: ({ arguments: args, meta }) => text(JSON.stringify({ arguments: args, meta })),
  progress({ arguments: { steps }, onProgress }) {
    const total = Number(steps)
    for (let progress = 1; progress <= total; progress++) onProgress?.({ progress, total, message: `step ${progress}` })
    return text('done')
  },
  wait: ({ signal, onProgress }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new CallboardError('cancelled', 'cancelled')), { once: true })
      onProgress?.({ progress: 1 })
    }),
  odd: ({ arguments: { kind } }) =>
    kind === 'error'
      ? { ...text('the disk is full'), isError: true }
      : { content: [{ type: 'hologram' }], future: { field: true }, _meta: { 'acme.example/trace': { a: [1, null] } } },
}

/** Runs what `call_mcp_tool` asks for. */
async function run(request: InvokeRequest): Promise<ToolResult> {
  const tool = tools[request.name]
  if (tool === undefined) throw new CallboardError('not_found', `no tool named ${request.name}`)
  return tool(request)
}

async function builtinPlugin(): Promise<PluginUnderTest> {
  const plugin = new BuiltinPlugin()
  const { view } = emptyHost()
  const storage = { get: () => undefined, set: () => {} }
  return {
    plugin,
    host: createPluginHost(plugin, {
      log: keptLog().log,
      view,
      healthOf: () => undefined,
      invoker: () => ({ run }),
      storage,
    }),
    call: (called, name, args, more) => callPlugin(called, 'call_mcp_tool', { tool_name: name, arguments: args }, more),
    async [Symbol.asyncDispose]() {},
  }
}

pluginContract('the built-in plugin', builtinPlugin, {
  'a stop during the start ends it': 'its start takes no time',
  'stopped, it fails the calls that run': 'those run on other plugins, which fail them when they are stopped',
})
