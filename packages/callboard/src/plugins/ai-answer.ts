/** What an answer says of the model that gave it, beside its content. */
import { isObject } from '../is-object.ts'
import type { ToolResult } from './plugin.ts'

/** The key of it in the `_meta` of a result. */
export const AI_META = 'callboard/ai'

/** Texts are recorded no longer than this. */
const MAX_TEXT = 128

/**
 * Why a provider gave no answer. `interrupted`: the answer broke off after a part of it was there. `refused`: it takes
 * the request as it is for wrong. `unreadable`: what it answered is no answer, or not of the schema that was asked for.
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

/** What a model did for a call, as it is recorded. */
export interface AiUse {
  readonly model?: string
  readonly finishReason?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** What the result of a tool with a provider says of that; undefined when it says nothing. */
export function aiUseOf({ _meta }: ToolResult): AiUse | undefined {
  const answer = _meta?.[AI_META]
  if (!isObject(answer) || typeof answer.model !== 'string') return undefined
  const { model, finishReason, usage } = answer
  const { input, output } = isObject(usage) ? usage : {}
  return {
    model: model.slice(0, MAX_TEXT),
    ...(typeof finishReason === 'string' && { finishReason: finishReason.slice(0, MAX_TEXT) }),
    ...(typeof input === 'number' && { inputTokens: input }),
    ...(typeof output === 'number' && { outputTokens: output }),
  }
}
