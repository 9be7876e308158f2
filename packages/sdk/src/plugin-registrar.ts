/** What the module of a declared plugin is given, to say what runs its tools. */
import type { ToolAction } from './tool-action.ts'

/**
 * The default export of the module that a manifest names as `module:` is a function of it: `register(registrar)`, which
 * may be async.
 */
export interface PluginRegistrar {
  /**
   * Says what runs a tool of the manifest whose `action` is no path.
   * @param name the tool's own name, or what it has as its `action`
   * @throws TypeError for a tool that the manifest does not declare, and for one that is wired already
   */
  readonly tool: (name: string, action: ToolAction<never>) => void
}

/** What such a module exports by default. */
export type RegisterTools = (registrar: PluginRegistrar) => void | Promise<void>
