/** `call_mcp_tool`: runs any other tool of the view and answers exactly what that tool answers. */
import { CallboardError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { BUILTIN_ID, type BuiltinTool, failure } from './builtin-tool.ts'
import { readObject, readRequiredText, readText } from './read-arguments.ts'

const definition: BuiltinTool['definition'] = {
  package: BUILTIN_ID,
  name: 'call_mcp_tool',
  action: 'call_mcp_tool',
  title: 'Call a tool',
  description:
    'Runs a tool that search_mcp_tools or list_mcp_tools found, and answers exactly what that tool answers. ' +
    'Its own arguments go into `arguments`, as get_mcp_tool describes them. ' +
    'It can do whatever that tool can, which may change or delete things: see its hints.',
  inputSchema: {
    type: 'object',
    properties: {
      tool_name: { type: 'string', description: 'The name as listed or found' },
      arguments: { type: 'object', description: "The tool's own arguments. Default {}" },
      provider: { type: 'string', description: 'Which model provider answers; only for tools that list providers' },
    },
    required: ['tool_name'],
    additionalProperties: false,
  },
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
  surfaces: ['mcp'],
}

async function run(call: ToolCall, host: PluginHost): Promise<ToolResult> {
  const name = readRequiredText(call.arguments, 'tool_name', 'the name of a tool, as search_mcp_tools finds it')
  const args = readObject(call.arguments, 'arguments')
  const provider = readText(call.arguments, 'provider')
  const own = call.catalog.resolve(name)?.definition
  if (own?.package === BUILTIN_ID) return failure(`call_mcp_tool does not run ${own.name}; call ${own.name} itself`)
  try {
    const written = call.writtenArguments?.arguments
    return await host.call(call, name, args, {
      ...(provider !== '' && { provider }),
      ...(isObject(written) && { writtenArguments: written }),
    })
  } catch (thrown) {
    // The model can choose another name, so it has to see this; a JSON-RPC error often never reaches it.
    if (thrown instanceof CallboardError && thrown.code === 'not_found') return failure(thrown.message)
    throw thrown
  }
}

export const callMcpTool: BuiltinTool = { definition, run }
