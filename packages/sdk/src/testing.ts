/** The complete public surface of `@callboard/sdk/testing`: runs the tools of a plugin in its author's tests. */

export type { KitUsers } from './kit/kit-gate.ts'
export { type KitCall, type KitOptions, type PluginKit, testPlugin } from './kit/test-plugin.ts'
export { type LoggedMessage, type RunFacts, type RunOutcome, ToolRun } from './kit/tool-run.ts'
