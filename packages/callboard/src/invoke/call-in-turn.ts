/** Runs a call on the plugin that serves its tool, when it is its turn there and the plugin has started. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { CallboardError, messageOf, UpstreamError } from '../errors.ts'
import type { Plugin, ToolCall, ToolResult } from '../plugins/plugin.ts'
import { CallSlots, type SlotLimits } from './call-slots.ts'

/** What runs a call. */
export type Callee = Pick<Plugin, 'id' | 'call' | 'passesWritten'>

/** What is known of plugins at each moment. */
export interface TurnSource {
  /** The plugin that serves the tool now, always the same object for the same plugin; undefined when it is gone. */
  pluginOf(tool: CatalogTool): Callee | undefined
  /** The first start of that plugin while it runs, for which a call waits; it never rejects. Afterwards undefined. */
  firstStartOf?(tool: CatalogTool): Promise<void> | undefined
  /** How many calls of the tool's plugin run at once; undefined where nothing bounds them. */
  concurrencyOf?(definition: ToolDefinition): number | undefined
  /** How many more of them may wait. */
  readonly limits: { readonly queue: number }
}

/**
 * What the plugin answers. A call by a call of the same plugin, through whatever others, runs in the slot of that. One
 * that waits, for its turn or for the start, goes on with whoever has the plugin's place by then. Throws `unavailable`
 * when nobody has, or when too many wait, and the reason of the call's signal.
 */
export async function callInTurn(
  source: TurnSource,
  slots: WeakMap<Callee, CallSlots>,
  tool: CatalogTool,
  call: ToolCall,
): Promise<ToolResult> {
  // Once more for each plugin that takes the place of the one before while this waits for its turn or for the start.
  for (;;) {
    const plugin = source.pluginOf(tool)
    if (plugin === undefined)
      throw new CallboardError(
        'unavailable',
        `${JSON.stringify(tool.entry.name)} of plugin ${JSON.stringify(tool.entry.pluginId)} is not there any more`,
      )
    // It would wait for its own caller, who waits for it.
    const isInside = call.callers?.includes(plugin.id) === true
    const own = isInside ? undefined : slotsOf(source, slots, tool, plugin)
    const turn = own?.slots.enter(call.user, call.signal, own.limits)
    if (turn !== undefined) await turn
    try {
      const starting = source.firstStartOf?.(tool)
      if (starting !== undefined) await starting
      call.signal.throwIfAborted()
      if (source.pluginOf(tool) === plugin) return await plugin.call(call)
    } catch (thrown) {
      throw inWords(thrown, plugin, tool)
    } finally {
      own?.slots.leave()
    }
  }
}

/** Undefined where nothing bounds the calls of the plugin. */
function slotsOf(
  { concurrencyOf, limits }: TurnSource,
  known: WeakMap<Callee, CallSlots>,
  { definition, entry }: CatalogTool,
  plugin: Callee,
): { readonly slots: CallSlots; readonly limits: SlotLimits } | undefined {
  const concurrency = concurrencyOf?.(definition)
  if (concurrency === undefined) return undefined
  const slots = known.get(plugin) ?? new CallSlots(entry.pluginId)
  known.set(plugin, slots)
  return { slots, limits: { concurrency, queue: limits.queue } }
}

/** What a plugin throws of its own. */
function inWords(thrown: unknown, plugin: Callee, { entry }: CatalogTool): unknown {
  if (thrown instanceof CallboardError || thrown instanceof UpstreamError) return thrown
  const who = `plugin ${JSON.stringify(plugin.id)} failed to run ${JSON.stringify(entry.name)}`
  return new CallboardError('tool_failed', `${who}: ${messageOf(thrown)}`, { cause: thrown })
}
