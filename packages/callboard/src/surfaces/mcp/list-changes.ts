/**
 * Tells whether a client would be shown another list of tools than before, for whoever has to be told and for nobody
 * else.
 */
import { messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { type ListedTools, listedTools } from './listed-tools.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

/** Whether the list is another than the last time that this was asked, or than at the beginning. */
export type HasListChanged = () => Promise<boolean>

/** Begins now. A list that can't be worked out counts as another: the client asks for it then, and hears why. */
export async function watchList(host: Host, options: McpServerOptions): Promise<HasListChanged> {
  const look = async (): Promise<ListedTools | undefined> => {
    try {
      return listedTools(await host.view(options.user, 'mcp'), options)
    } catch (thrown) {
      host.log.warn({ err: messageOf(thrown) }, 'it is not known whether the tools of a client changed')
      return undefined
    }
  }
  let seen = await look()
  return async () => {
    const before = seen
    seen = await look()
    return before === undefined || seen === undefined || !before.isLike(seen)
  }
}
