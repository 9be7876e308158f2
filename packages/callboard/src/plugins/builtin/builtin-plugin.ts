/** The built-in plugin `callboard`: the four tools through which a model finds and runs every other tool. */
import { CallboardError, messageOf } from '../../errors.ts'
import { namespacedName } from '../../tools/names.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { RunState } from '../run-state.ts'
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

/** It has no process and no connection, so that its start takes no time, and its tools never change. */
export class BuiltinPlugin implements Plugin {
  readonly id: string = BUILTIN_ID
  readonly kind = 'local'
  readonly passesWritten = true
  readonly tools: Plugin['tools'] = TOOLS.map(({ definition }) => definition)
  readonly #byName: ReadonlyMap<string, BuiltinTool> = new Map(TOOLS.map((tool) => [tool.definition.name, tool]))
  readonly #state = new RunState(BUILTIN_ID)
  #host: PluginHost | undefined

  async start(host: PluginHost, signal?: AbortSignal): Promise<void> {
    if (this.#host !== undefined) throw new CallboardError('internal', `plugin "${this.id}" is up already`)
    this.#state.enter('starting')
    if (signal?.aborted === true) {
      const reason = messageOf(signal.reason)
      this.#state.enter('down', reason)
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${reason}`)
    }
    this.#host = host
    this.#state.enter('up')
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const { definition, signal } = call
    const tool = this.#byName.get(definition.name)
    if (!tool) throw new CallboardError('not_found', `the plugin "${this.id}" has no tool "${definition.name}"`)
    if (!this.#host) throw this.#state.notUp()
    if (signal.aborted)
      throw new CallboardError('cancelled', `${definition.name} was cancelled: ${messageOf(signal.reason)}`)
    return tool.run(call, this.#host)
  }

  health(): PluginHealth {
    return this.#state.health
  }

  async stop(): Promise<void> {
    this.#host = undefined
    if (this.#state.health.state !== 'stopped') this.#state.enter('stopped')
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }
}
