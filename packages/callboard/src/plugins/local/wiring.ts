/** Which action runs which tool of a manifest, as the plugin's module says it. */
import type { PluginRegistrar, ToolAction, ToolDefinition } from '@callboard/sdk'
import { closestName } from '../../closest-name.ts'
import { moduleReference } from '../../config/manifest/module-reference.ts'
import type { PluginManifest } from '../../config/manifest/read-manifest.ts'

/** The registrar of one load of a plugin. Its errors name the tool and the mend. */
export class Wiring implements PluginRegistrar {
  readonly #manifest: PluginManifest
  readonly #actions = new Map<string, ToolAction<never>>()
  #isClosed = false

  constructor(manifest: PluginManifest) {
    this.#manifest = manifest
  }

  readonly tool: PluginRegistrar['tool'] = (name, action) => {
    const shown = JSON.stringify(String(name).slice(0, 100))
    if (this.#isClosed) throw new TypeError(`tool ${shown} is wired too late; wait for it in the function register`)
    if (typeof action !== 'function')
      throw new TypeError(
        `tool ${shown} is wired to ${action === null ? 'null' : `a ${typeof action}`}; give a function`,
      )
    const tools = this.#manifest.tools.filter((tool) => tool.name === name || tool.action === name)
    if (tools.length === 0) throw new TypeError(`${shown} is not declared${this.#closest(name)}`)
    for (const tool of tools) this.#wire(tool, action)
  }

  /** Takes nothing more. */
  close(): void {
    this.#isClosed = true
  }

  /** What runs the tool; undefined where nothing wires it. */
  actionOf({ name }: ToolDefinition): ToolAction<never> | undefined {
    return this.#actions.get(name)
  }

  #wire({ name, action: written }: ToolDefinition, action: ToolAction<never>): void {
    if (moduleReference(written) !== undefined)
      throw new TypeError(
        `tool "${name}" is wired, and has the module ${written} as its action too; keep one: take out the line that wires it, or write action: ${name}`,
      )
    if (this.#actions.has(name)) throw new TypeError(`tool "${name}" is wired twice; keep one`)
    this.#actions.set(name, action)
  }

  #closest(name: string): string {
    const { tools, file } = this.#manifest
    const near = closestName(
      String(name),
      tools.map((tool) => tool.name),
    )
    return near === undefined ? `; declare it in ${file}, or take it out` : `; did you mean "${near}"?`
  }
}
