/** The built-in plugin `callboard`: the four tools through which a model finds and runs every other tool. */
import { CallboardError } from '../../errors.ts'
import { namespacedName } from '../../tools/names.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { BUILTIN_ID, type BuiltinTool } from './builtin-tool.ts'
import { callMcpTool } from './call-mcp-tool.ts'
import { getMcpTool } from './get-mcp-tool.ts'
import { listMcpTools } from './list-mcp-tools.ts'
import { searchMcpTools } from './search-mcp-tools.ts'

const TOOLS: readonly BuiltinTool[] = [listMcpTools, searchMcpTools, getMcpTool, callMcpTool]

/** The public names that belong to the four alone, each with the namespaced name of its tool. */
export const BUILTIN_NAMES: ReadonlyMap<string, string> = new Map(
  TOOLS.map(({ definition }) => [definition.name, namespacedName(BUILTIN_ID, definition.name)]),
)

/** It has no process and no connection, so it is up from `start` until `stop`, and its tools never change. */
export class BuiltinPlugin implements Plugin {
  readonly id: string = BUILTIN_ID
  readonly kind = 'local'
  readonly tools: Plugin['tools'] = TOOLS.map(({ definition }) => definition)
  readonly #byName: ReadonlyMap<string, BuiltinTool> = new Map(TOOLS.map((tool) => [tool.definition.name, tool]))
  #host: PluginHost | undefined
  #since = Date.now()

  async start(host: PluginHost): Promise<void> {
    this.#host = host
    this.#since = Date.now()
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const tool = this.#byName.get(call.definition.name)
    if (!tool) throw new CallboardError('not_found', `the plugin "${this.id}" has no tool "${call.definition.name}"`)
    if (!this.#host)
      throw new CallboardError('unavailable', `the plugin "${this.id}" is not started; start the host first`)
    return tool.run(call, this.#host)
  }

  health(): PluginHealth {
    return { state: this.#host ? 'up' : 'stopped', since: this.#since }
  }

  async stop(): Promise<void> {
    this.#host = undefined
    this.#since = Date.now()
  }

  /** Nothing here changes by itself, so there is nothing to call `listener` for. */
  onChange(): () => void {
    return () => undefined
  }
}
