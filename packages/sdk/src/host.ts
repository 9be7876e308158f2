/** For hosts, and not for plugins: what runs the tools that this package defines. */
export { inputSchemaOf } from './input-schema-of.ts'
export { runTool, type ToolOutcome } from './run-tool.ts'
export { textOfThrown } from './text-of-thrown.ts'
