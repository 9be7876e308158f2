/** The complete public surface of `@callboard/sdk`: whatever is named here is public API. */
export type { CatalogEntry, ToolCatalog, ToolCategory } from './tool-catalog.ts'
export type { JsonSchema, Surface, ToolArgument, ToolDefinition } from './tool-definition.ts'
