/** What the config makes a server offer at each moment, since a changed config is taken over while clients are connected. */
import type { Expose } from '../../config/config.ts'
import type { Host } from '../../host.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

/** What stays as it is for one server; without a user, it acts as that of the config. */
type FixedOptions = Omit<McpServerOptions, 'user' | 'expose'> & { readonly user?: string | undefined }

/** The options of a server that follow the config of the host. A copy of them is what they are at that moment. */
export function offeredNow(host: Host, { user, ...fixed }: FixedOptions): McpServerOptions {
  return {
    ...fixed,
    get user(): string {
      return user ?? host.config.user
    },
    get expose(): Expose {
      return host.config.expose ?? 'catalog'
    },
  }
}
