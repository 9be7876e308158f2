/** The plugins that a program gives its host as values, as entries beside those of the config. */
import type { DefinedPlugin } from '@callboard/sdk'
import type { Config, PluginConfig } from '../config/config.ts'
import { checkPluginIds } from '../config/plugin-ids.ts'
import { CallboardError } from '../errors.ts'
import { ALL_TOOLS } from '../tools/tool-settings.ts'

/** An entry for each. Throws `config` where an id can't be used, or gets in the way of another one's. */
export function givenPlugins(plugins: readonly DefinedPlugin[], config: Config): readonly PluginConfig[] {
  const faults: string[] = []
  const places = [
    ...config.plugins.map(({ id }) => ({ id, path: ['plugins', id] })),
    ...plugins.map(({ id }) => ({ id, path: ['createHost.plugins', id] })),
  ]
  checkPluginIds(places, { refuseKey: ([, id], fault) => faults.push(`plugin "${id}": ${fault()}`) })
  if (faults.length > 0) throw new CallboardError('config', faults.join('; '))
  const { timeoutMs } = config.limits
  return plugins.map((plugin) => ({
    id: plugin.id,
    kind: 'local',
    local: { plugin },
    enabled: true,
    timeoutMs,
    tools: ALL_TOOLS,
  }))
}
