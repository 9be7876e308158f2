/** Which plugins a user may know of: the rest of the config is not told to him, by a warning or a suggestion either. */
import { permissionOf } from '../../gate/permissions.ts'
import { OWNER } from '../../gate/role-gate.ts'
import type { CommandContext } from './command-context.ts'

/**
 * The ids of the plugins that the acting user may know of: for the owner all, else those of which the user sees a tool,
 * and those of which every tool would be granted, so that one that could not be started yet is no riddle.
 */
export async function visiblePlugins({ host, user }: CommandContext): Promise<ReadonlySet<string>> {
  const ids = host.config.plugins.map(({ id }) => id)
  if (user === OWNER) return new Set(ids)
  const seen = new Set((await host.view(user, 'cli')).listPluginIds())
  const visible = new Set<string>()
  for (const id of ids) {
    const everyTool = permissionOf({ package: id, name: '*', action: '' })
    if (seen.has(id) || (await host.allows(user, everyTool))) visible.add(id)
  }
  return visible
}
