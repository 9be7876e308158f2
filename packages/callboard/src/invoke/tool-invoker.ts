/** How a tool is run: the fixed sequence of steps of every call. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import type { Progress, ToolResult } from '../plugins/plugin.ts'

/** What may accompany a call. */
export interface InvokeOptions {
  /** Where the call comes from. Defaults to `mcp`. */
  readonly surface?: Surface
  /** The caller's own way to cancel. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  readonly meta?: Readonly<Record<string, unknown>>
  /** The model provider to use, for AI tools. */
  readonly provider?: string
  /** The tool through which this call came, such as `call_mcp_tool`. */
  readonly via?: string
}

/** A call that names its tool. */
export interface InvokeRequest extends InvokeOptions {
  /** A public or namespaced name. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly user: string
}

export interface ToolInvoker {
  /** Runs the tool that the name stands for in the user's view; throws `CallboardError` or `UpstreamError` when it could not be run. */
  run(request: InvokeRequest): Promise<ToolResult>
  /** The library's own path: the same steps for a definition that is already known. */
  invoke(
    definition: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
    user: string,
    options?: InvokeOptions,
  ): Promise<ToolResult>
}
