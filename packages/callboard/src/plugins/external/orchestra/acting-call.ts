/** For which call a plugin of the existing protocol asks the host, since it does not say so. */
import type { OrchestraGrants } from '../../../config/config.ts'
import { CallboardError } from '../../../errors.ts'
import { actingUser, nameOf, narrowingKey } from '../../../gate/acting-user.ts'
import { OWNER } from '../../../gate/role-gate.ts'
import type { PluginHost, ToolCall } from '../../plugin.ts'

export interface ActingOptions {
  readonly pluginId: string
  readonly host: PluginHost
  readonly grants: OrchestraGrants
  /** The calls that run on the plugin. */
  readonly running: readonly ToolCall[]
  /** Aborted when what it asks is answered, or given up. */
  readonly signal: AbortSignal
}

/**
 * While its calls are of one user on one surface, it is done for these: as that user, narrowed as they are, and no
 * longer than any of them runs. Where they are of several, nobody can tell whose turn it is. While it has none, it has
 * the permissions that it is granted. Throws `denied` otherwise.
 */
export async function actingCall(options: ActingOptions): Promise<ToolCall> {
  const { running, grants } = options
  const [first] = running
  if (first === undefined) return await callOfItsOwn(options)
  if (!grants.tools)
    throw new CallboardError('denied', 'the plugin may not call tools; add `tools` to its `grants` if it should')
  if (running.some((call) => actorOf(call) !== actorOf(first)))
    throw new CallboardError(
      'denied',
      'the plugin runs calls of several users, and does not say for which one it asks; `concurrency: 1` gives it one call at a time',
    )
  const { user, within, surface, catalog } = first
  return {
    definition: first.definition,
    arguments: {},
    user,
    ...(within !== undefined && { within }),
    surface,
    catalog,
    depth: Math.max(...running.map(({ depth = 0 }) => depth)),
    callers: [...new Set(running.flatMap(({ callers = [] }) => callers))],
    signal: AbortSignal.any([options.signal, whenAllEnd(running, options.signal)]),
  }
}

/** The owner, narrowed to what is granted, has just that. */
async function callOfItsOwn({ pluginId, host, grants, signal }: ActingOptions): Promise<ToolCall> {
  const within = grants.permissions
  if (within.length === 0)
    throw new CallboardError(
      'denied',
      'the plugin has no call that runs, and outside its calls it has no permission; name those that it should have in its `grants`',
    )
  const surface = 'mcp'
  const catalog = await host.view(actingUser(OWNER, within), surface)
  const definition = { package: pluginId, name: pluginId, action: pluginId }
  return { definition, arguments: {}, user: OWNER, within, surface, catalog, signal, hasNoSlot: true }
}

function actorOf({ user, within, surface }: ToolCall): string {
  const actor = actingUser(user, within)
  return JSON.stringify([nameOf(actor), narrowingKey(actor), surface])
}

function whenAllEnd(calls: readonly ToolCall[], until: AbortSignal): AbortSignal {
  const ended = new AbortController()
  let left = calls.length
  for (const { signal } of calls) {
    const end = (): void => {
      left -= 1
      if (left === 0) ended.abort(signal.reason)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true, signal: until })
  }
  return ended.signal
}
