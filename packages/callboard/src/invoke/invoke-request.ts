/** What a caller says who wants a tool to be run. */
import type { Surface } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import type { CallboardError } from '../errors.ts'
import type { ActingUser } from '../gate/acting-user.ts'
import type { CallLog } from '../plugins/log-messages.ts'
import type { Progress, ToolCall } from '../plugins/plugin.ts'

/** What may accompany a call. */
export interface InvokeOptions {
  /** The arguments once more, with their numbers as `readJson` has them; only where doubles would write others. */
  readonly writtenArguments?: Readonly<Record<string, unknown>> | undefined
  /** Where the call comes from. Defaults to `mcp`. */
  readonly surface?: Surface
  /** The caller's own way to cancel. */
  readonly signal?: AbortSignal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Takes the log messages of the call. */
  readonly log?: CallLog | undefined
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /**
   * Whether a result that is large, or has numbers that doubles would write otherwise, may come as `encodedResult` makes
   * it, which only who passes it on as it is can use.
   */
  readonly takesEncoded?: boolean | undefined
  /** The model provider to use, for AI tools. */
  readonly provider?: string
  /** Why the caller's surface refuses the call, which is recorded and thrown before anything is looked up. */
  readonly refusal?: CallboardError
  /**
   * What the caller's surface demands of a call of this tool besides; throws to refuse it, before its arguments are
   * looked at.
   */
  readonly onResolve?: (tool: CatalogTool, view: CatalogView) => void
  /** The tool through which this call came, such as `call_mcp_tool`. */
  readonly via?: string
  /** How many calls are around this one; 0 when absent. */
  readonly depth?: number
  /** The ids of the plugins whose calls those are: a call of the same plugin needs no turn of its own there. */
  readonly callers?: readonly string[] | undefined
  /**
   * The running call that only hands on to this one, as those of `call_mcp_tool` do. This call leaves the one record of
   * both, its time is the time of both, and `via` is the other's tool.
   */
  readonly inPlaceOf?: ToolCall
  /** The view of the request that this call is part of; the one of this moment when absent. */
  readonly view?: CatalogView
}

/** A call that names its tool. */
export interface InvokeRequest extends InvokeOptions {
  /** A public or namespaced name. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly user: ActingUser
}
