/** What is recorded of each call: who ran what, when, and how it ended. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import { CallboardError, UpstreamError } from '../errors.ts'
import type { AiUse } from '../plugins/ai-answer.ts'

/** Every way in which a call can end, and `started`. */
export const CALL_OUTCOMES = [
  'started',
  'ok',
  'tool_error',
  'denied',
  'unknown',
  'invalid',
  'timeout',
  'cancelled',
  'unavailable',
  'interrupted',
  'upstream_error',
  'internal',
] as const

/**
 * `started`: about to run; what became of it is in another record of the same `time`. `ok`, and `tool_error` for a
 * result that says so itself. Not run: `unknown`, `denied` (a tool or a surface that the user may not use, or arguments
 * that the gate does not admit), `invalid` arguments, or words that are none, `unavailable`. Not finished: `timeout`,
 * `cancelled`, and `interrupted`, since the plugin was gone. `upstream_error`: the plugin or its server failed.
 * `internal`: the host did.
 */
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

/** A call that has ended, or is about to run. */
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
  /** Characters of JSON, about. */
  readonly argumentsSize: number
  /** The same of the result; undefined where there is none. */
  readonly resultSize: number | undefined
  /** The tool through which the call came. */
  readonly via: string | undefined
  /** The model provider that serves it, for AI tools. */
  readonly provider: string | undefined
  /** What its model did, where it answered. */
  readonly ai?: AiUse
}

/** What a call was to run, for whoever records more of it than is in the record. */
export interface RecordedCall {
  /** Undefined where there is no such tool. */
  readonly tool: ToolDefinition | undefined
  readonly arguments: Readonly<Record<string, unknown>>
}

/** How a call ended that threw. */
export function outcomeOf(thrown: unknown): CallOutcome {
  if (thrown instanceof UpstreamError) return 'upstream_error'
  if (!(thrown instanceof CallboardError)) return 'internal'
  switch (thrown.code) {
    case 'not_found':
      return 'unknown'
    case 'invalid_arguments':
    case 'usage':
      return 'invalid'
    case 'tool_failed':
      return 'upstream_error'
    case 'denied':
    case 'timeout':
    case 'cancelled':
    case 'unavailable':
    case 'interrupted':
      return thrown.code
    case 'config':
    case 'internal':
      return 'internal'
    default:
      return thrown.code satisfies never
  }
}
