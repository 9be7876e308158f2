/** What a plugin says of a tool. */

/** A JSON Schema (2020-12 unless `$schema` says otherwise) as a plain object. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A way in to the tools: `mcp` is MCP over stdio or HTTP, `cli` the command line. */
export type Surface = 'mcp' | 'cli'

/** One argument in the short form; a list of them stands for an object schema. */
export interface ToolArgument {
  readonly name: string
  /** A JSON Schema type name: `string`, `number`, `integer`, `boolean`, `object` or `array`. */
  readonly type: string
  /** Defaults to false. */
  readonly required?: boolean
  readonly description?: string
}

/**
 * What a plugin says of one tool. Its identity is the pair (`package`, `name`); everything else may change.
 *
 * A tool takes either `args` or `inputSchema`; with neither it takes an object without known properties.
 */
export interface ToolDefinition {
  /** The id of the plugin that gives the tool: `vendor/name` or a dotted id. */
  readonly package: string
  /** The declared name, as the plugin knows it; any non-empty text. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** What runs: a module path, a name wired by the plugin, or the name under which an MCP server knows the tool. */
  readonly action: string
  readonly args?: readonly ToolArgument[]
  readonly inputSchema?: JsonSchema
  readonly outputSchema?: JsonSchema
  /** The permission a user needs; derived from the package and the name when absent. */
  readonly permission?: string
  /** The tool changes nothing. Defaults to false. */
  readonly readOnly?: boolean
  /** The tool may destroy something. Defaults to false. */
  readonly destructive?: boolean
  /** Running it twice with the same arguments is the same as once. */
  readonly idempotent?: boolean
  /** The tool reaches beyond the host's own world, such as the web. */
  readonly openWorld?: boolean
  /** The tool answers in pieces while it runs. */
  readonly streaming?: boolean
  /** Where the tool is offered. Defaults to both surfaces. */
  readonly surfaces?: readonly Surface[]
  readonly tags?: readonly string[]
  /**
   * The tool exactly as an MCP server listed it (icons, annotations, `_meta` and fields of later revisions), so that a
   * listing passes it on unchanged. Only plugins of kind `mcp` set it.
   */
  readonly listed?: Readonly<Record<string, unknown>>
}
