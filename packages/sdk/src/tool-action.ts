/** What runs when a tool is called, and what it is given besides the arguments. */
import type { ToolCatalog } from './tool-catalog.ts'
import type { Progress, ToolResult } from './tool-result.ts'

/**
 * Runs one call. The arguments are valid by the tool's schema and a copy of the call's own, so that they may be
 * changed.
 *
 * What it answers, or resolves with, becomes the result of the call: a text; a number or boolean, as a text; a result
 * such as `text()` or `json()` gives, which is any object with a list `content`; any other object or list, as `json()`
 * of it. To answer nothing (`undefined` or `null`) is an error, since it is a forgotten `return` most of the time; so
 * is what has no form in JSON. What it throws fails the call, and the caller is told the message.
 */
export type ToolAction<Arguments = Readonly<Record<string, unknown>>> = (
  args: Arguments,
  context: ToolContext,
) => unknown

/** One call as its tool sees it. Each member may be taken out of it and used by itself. */
export interface ToolContext {
  /** The acting user's name. */
  readonly user: string
  /**
   * Aborted when the caller cancels, when the time is up and when the plugin is stopped. What is answered after that is
   * dropped.
   */
  readonly signal: AbortSignal
  /** What the acting user may find and call on the surface of this call, as it was when the call began. */
  readonly catalog: ToolCatalog
  /** Goes to the caller where it asked for the call's log, else into the host's log. */
  readonly log: ToolLog
  /** What the caller sent along as MCP's `_meta`; empty where it sent nothing. */
  readonly meta: Readonly<Record<string, unknown>>
  /** Tells the caller how far the call is, and starts the call's time anew. Harmless where nobody wants to know. */
  readonly progress: (step: Progress) => void
  /**
   * Runs another tool as the same user, and with the same signal and progress. `name` is a namespaced name
   * (`plugin:acme/hello:acme.hello.echo`), which never changes, or a public one. Rejects where the call could not be
   * run; the answer of a tool that says what is wrong itself is a result with `isError`.
   */
  readonly call: (
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: {
      /** The model provider that is to serve the call, for AI tools. */
      readonly provider?: string
    },
  ) => Promise<ToolResult>
}

/** Writes messages about a call, with more about each as plain data. */
export interface ToolLog {
  readonly debug: ToolLogMethod
  readonly info: ToolLogMethod
  readonly warn: ToolLogMethod
  readonly error: ToolLogMethod
}

/** Writes one message. */
export type ToolLogMethod = (message: string, fields?: Readonly<Record<string, unknown>>) => void
