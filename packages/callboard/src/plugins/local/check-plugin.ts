/** The check of a plugin that is written in code: what a type can't promise of JavaScript. */
import type { DefinedPlugin } from '@callboard/sdk'
import { CallboardError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { checkDefinition } from '../../tools/check-definition.ts'

/** The plugin. Throws `config` for what `definePlugin` can't have given; `what` stands for it in the message. */
export function checkPlugin(plugin: unknown, what: string): DefinedPlugin {
  if (!isDefinedPlugin(plugin)) throw new CallboardError('config', `${what} has to be what definePlugin() gives`)
  const names = new Set<string>()
  for (const { definition } of plugin.tools) {
    checkDefinition(definition)
    const { name, package: owner } = definition
    if (owner !== plugin.id)
      throw new CallboardError(
        'config',
        `tool "${name}" of plugin "${plugin.id}" says it is of "${owner}"; correct its \`package\``,
      )
    if (names.has(name))
      throw new CallboardError('config', `plugin "${plugin.id}" has two tools named "${name}"; rename one`)
    names.add(name)
  }
  return plugin
}

function isDefinedPlugin(value: unknown): value is DefinedPlugin {
  return (
    isObject(value) && typeof value.id === 'string' && Array.isArray(value.tools) && value.tools.every(isDefinedTool)
  )
}

function isDefinedTool(value: unknown): boolean {
  return isObject(value) && isObject(value.definition) && typeof value.run === 'function'
}
