/** What `servePlugin()` is told beyond the plugin. */
import type { DefinedPlugin } from '../../define-plugin.ts'
import type { PluginFacts } from './plugin-manifest.ts'

export interface ServeOptions extends PluginFacts {
  /**
   * Asked when the host wants to know, every 30 seconds: why the plugin is not well, in words for people, or nothing
   * when it is. It is shown as `degraded` for that, and goes on serving. What is thrown here is such a reason too; so
   * are five seconds without an answer.
   */
  readonly health?: (() => string | undefined | Promise<string | undefined>) | undefined
  /**
   * Called once, when the plugin can be reached. `replace` gives it other tools from then on, of which its hosts are
   * told; calls that run are not touched. It throws `TypeError` for a plugin with another id. What `watch` returns is
   * called at the end.
   */
  readonly watch?: ((replace: (plugin: DefinedPlugin) => void) => (() => void) | undefined) | undefined
}
