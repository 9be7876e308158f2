/** Makes of a request, once it is resolved and permitted, the call that the plugin is given. */
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import { nameOf } from '../gate/acting-user.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { ToolCall } from '../plugins/plugin.ts'
import type { TimedRun } from './call-in-time.ts'
import type { InvokeRequest } from './invoke-request.ts'

/** What goes into a call besides its tool. */
interface Given {
  readonly request: InvokeRequest
  readonly view: CatalogView
  readonly timed: TimedRun
}

/** Made in one go and always of the same shape, since there is one for every call. */
export function toolCallOf({ definition, entry }: CatalogTool, { request, view: catalog, timed }: Given): ToolCall {
  const { arguments: args, writtenArguments, user, surface = 'mcp', meta, log, depth, callers } = request
  const { signal, onProgress } = timed
  const [provider] = entry.providers
  return {
    definition,
    arguments: args,
    writtenArguments,
    user: nameOf(user),
    within: typeof user === 'string' ? undefined : user.within,
    surface,
    signal,
    meta,
    provider,
    onProgress,
    log,
    // Bytes are read here for who does not take them; what hands on leaves that to the call in its place.
    takesEncoded: request.takesEncoded === true || definition.package !== BUILTIN_ID,
    depth,
    callers,
    catalog,
  }
}
