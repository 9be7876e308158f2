/** What an answer says of the model that gave it, beside its content. */
import { isObject } from '../is-object.ts'
import type { ToolResult } from './plugin.ts'

/** The key of it in the `_meta` of a result. */
export const AI_META = 'callboard/ai'

/**
 * Why a provider gave no answer. `interrupted`: the answer broke off after a part of it was there. `refused`: it takes the
 * request as it is for wrong. `unreadable`: what it answered is no answer, or not of the schema that was asked for.
 */
export type AiFailureKind =
  | 'auth'
  | 'rate_limit'
  | 'context_too_long'
  | 'content_filter'
  | 'unavailable'
  | 'interrupted'
  | 'refused'
  | 'unreadable'

export interface AiAnswer {
  /** Who gave it. */
  readonly provider: string
  readonly model?: string
  /** `stop`, `length`, `content-filter`, …: why the model wrote no more. */
  readonly finishReason?: string
  /** Tokens. */
  readonly usage?: { readonly input?: number; readonly output?: number }
  readonly error?: { readonly kind: AiFailureKind; readonly status?: number; readonly retryAfterMs?: number }
  /** The providers that should have given it and were unavailable, in the order in which they were asked. */
  readonly insteadOf?: readonly string[]
}

/** The `_meta` of a result that says this. */
export function aiMeta(answer: AiAnswer): Readonly<Record<string, AiAnswer>> {
  return { [AI_META]: answer }
}

/** Whether the result only says that the provider can't be reached now. */
export function saysUnavailable({ isError, _meta }: ToolResult): boolean {
  const answer = _meta?.[AI_META]
  return isError === true && isObject(answer) && isObject(answer.error) && answer.error.kind === 'unavailable'
}
