/** What the config makes a server offer at each moment, since a changed config is taken over while clients are connected. */
import type { Expose } from '../../config/config.ts'
import type { Host } from '../../host.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

/** What stays as it is for one server; without a user, it acts as that of the config. */
type FixedOptions = Omit<McpServerOptions, 'user' | 'expose'> & { readonly user?: string | undefined }

/** What the config lists in `tools/list` besides the four. */
export function exposedBy({ config }: Host): Expose {
  return config.expose ?? 'catalog'
}

/** The options of a server that follow the config of the host. */
export function offeredNow(host: Host, { user, ...fixed }: FixedOptions): McpServerOptions {
  return {
    ...fixed,
    get user(): string {
      return user ?? host.config.user
    },
    get expose(): Expose {
      return exposedBy(host)
    },
  }
}
