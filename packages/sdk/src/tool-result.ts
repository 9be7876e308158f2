/** What a tool answers, and what it says on the way. */

/** What a tool answered, in the shape of an MCP tool result; fields that are not named here are kept. */
export interface ToolResult {
  /** Blocks of text, images and the like, each with its `type` and the fields that MCP gives that type. */
  readonly content: readonly Readonly<Record<string, unknown>>[]
  /** The answer as data; it has to fit the tool's `outputSchema` where there is one. */
  readonly structuredContent?: unknown
  /** The tool worked, and the answer is that it can't do what was asked; the content says why. */
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** One step of a running call, as MCP's progress notification has it. */
export interface Progress {
  /** How far the call is; grows with each step. */
  readonly progress: number
  /** What `progress` is at the end, where that is known. */
  readonly total?: number
  /** What is being done, for a person. */
  readonly message?: string
  /** `message` is the next piece of the answer itself, which the result has as a whole: what streaming tools tell. */
  readonly isPiece?: boolean
}
