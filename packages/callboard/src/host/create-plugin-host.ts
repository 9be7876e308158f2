/** What a plugin may ask of the host. */
import { actingUser } from '../gate/acting-user.ts'
import type { InvokeRequest } from '../invoke/invoke-request.ts'
import type { ToolInvoker } from '../invoke/tool-invoker.ts'
import type { Log } from '../log.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { Plugin, PluginHost, ToolCall } from '../plugins/plugin.ts'
import type { PluginStorageStore } from '../store/store.ts'

export interface PluginHostParts {
  readonly log: Log
  readonly view: PluginHost['view']
  readonly healthOf: PluginHost['healthOf']
  /** Asked for late: it may be made after the first plugin. */
  readonly invoker: () => Pick<ToolInvoker, 'run'>
  readonly storage: PluginStorageStore
}

export function createPluginHost(
  plugin: Plugin,
  { log, view, healthOf, invoker, storage }: PluginHostParts,
): PluginHost {
  return {
    log: log.child({ plugin: plugin.id }),
    view,
    healthOf,
    call: (parent, name, args, options) => invoker().run(callWithin(parent, name, args, options)),
    storage: {
      get: (key) => storage.get(plugin.id, key),
      set: (key, value) => storage.set(plugin.id, key, value),
    },
  }
}

/** The call of another tool by `parent`; those of the built-in tools only hand on, and leave no record of their own. */
function callWithin(
  parent: ToolCall,
  name: string,
  args: InvokeRequest['arguments'],
  options: Pick<InvokeRequest, 'provider' | 'writtenArguments'> = {},
): InvokeRequest {
  const { definition, user, within, surface, signal, meta, onProgress, log, takesEncoded, depth = 0 } = parent
  return {
    name,
    arguments: args,
    user: actingUser(user, within),
    surface,
    signal,
    depth: depth + 1,
    callers: callersWithin(parent),
    // The whole request works on one view.
    view: parent.catalog,
    ...(definition.package === BUILTIN_ID
      ? { inPlaceOf: parent, ...(takesEncoded !== undefined && { takesEncoded }) }
      : { via: definition.name }),
    ...options,
    ...(meta !== undefined && { meta }),
    ...(onProgress !== undefined && { onProgress }),
    ...(log !== undefined && { log }),
  }
}

/** The plugins whose slots a call by `parent` has already. Nothing bounds the calls of the built-in tools. */
function callersWithin({ definition, callers, hasNoSlot }: ToolCall): readonly string[] | undefined {
  const id = definition.package
  if (id === BUILTIN_ID || hasNoSlot === true || callers?.includes(id) === true) return callers
  return callers === undefined ? [id] : [...callers, id]
}
