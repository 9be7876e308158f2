/** What is kept of each call: who ran what, when, and how it ended; never its arguments or its result. */
import type { Surface } from '@callboard/sdk'
import { CallboardError, UpstreamError } from '../errors.ts'

/**
 * `ok`, and `tool_error` for a result that says so itself. Not run: `unknown`, `denied` (a tool that the user may not use,
 * or arguments that the gate does not admit), `invalid` arguments, `unavailable`. Not finished: `timeout`, `cancelled`.
 * `upstream_error`: the plugin or its server failed. `internal`: the host did.
 */
export type CallOutcome =
  | 'ok'
  | 'tool_error'
  | 'denied'
  | 'unknown'
  | 'invalid'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  | 'upstream_error'
  | 'internal'

export interface CallRecord {
  /** When it began, in milliseconds since the epoch. */
  readonly time: number
  readonly user: string
  readonly surface: Surface
  /** The namespaced name, or what the caller wrote where there is no such tool. */
  readonly tool: string
  /** Undefined where there is no such tool. */
  readonly plugin: string | undefined
  readonly outcome: CallOutcome
  readonly durationMs: number
  /** The tool through which the call came. */
  readonly via: string | undefined
}

/** How a call ended that threw. */
export function outcomeOf(thrown: unknown): CallOutcome {
  if (thrown instanceof UpstreamError) return 'upstream_error'
  if (!(thrown instanceof CallboardError)) return 'internal'
  switch (thrown.code) {
    case 'not_found':
      return 'unknown'
    case 'invalid_arguments':
      return 'invalid'
    case 'tool_failed':
      return 'upstream_error'
    case 'denied':
    case 'timeout':
    case 'cancelled':
    case 'unavailable':
      return thrown.code
    case 'usage':
    case 'config':
    case 'internal':
      return 'internal'
    default:
      return thrown.code satisfies never
  }
}
