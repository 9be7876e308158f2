/**
 * What the config makes a server offer at each moment, since a changed config is taken over while clients are
 * connected.
 */
import type { Expose } from '../../config/config.ts'
import type { ActingUser } from '../../gate/acting-user.ts'
import type { Host } from '../../host.ts'
import type { Caller } from './http/caller.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

/** What stays as it is for one server. */
interface FixedOptions extends Omit<McpServerOptions, 'user' | 'expose'> {
  /** Whom it serves; the user of the config when absent. */
  readonly caller?: Caller
  /** What is listed where the config says nothing; `catalog` when absent. */
  readonly usualExpose?: Expose
}

/** What `tools/list` shows now, where the config may say nothing of it. */
export function exposedBy({ config }: Host, usual: Expose): Expose {
  return config.expose ?? usual
}

/** The options of a server that follow the config of the host. */
export function offeredNow(host: Host, { caller, usualExpose = 'catalog', ...fixed }: FixedOptions): McpServerOptions {
  return {
    ...fixed,
    get user(): ActingUser {
      return caller?.user ?? host.config.user
    },
    get expose(): Expose {
      return exposedBy(host, usualExpose)
    },
  }
}
