/** Why a provider gave no answer, told from whatever the AI SDK threw. */
import { APICallError, NoObjectGeneratedError, StreamProviderError } from 'ai'
import { messageOf } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { AiFailureKind } from '../ai-answer.ts'

/** Longer waits than this are left to the caller. */
const LONGEST_WAIT_MS = 60_000

export interface ProviderFailure {
  readonly kind: AiFailureKind
  /** What happened, and what the provider said of it. */
  readonly reason: string
  readonly status?: number
  /** When the provider is to be asked again, if it said so. */
  readonly retryAfterMs?: number
  /** Whether the same request may succeed a little later. */
  readonly isPassing: boolean
}

export class ProviderError extends Error {
  readonly failure: ProviderFailure

  constructor(failure: ProviderFailure, options?: { readonly cause?: unknown }) {
    super(failure.reason, options)
    this.name = 'ProviderError'
    this.failure = failure
  }
}

/** What a status alone tells. */
function kindOfStatus(status: number): AiFailureKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate_limit'
  if (status === 413) return 'context_too_long'
  return status === 408 || status === 409 || status >= 500 ? 'unavailable' : 'refused'
}

const TOO_LONG =
  /context.{0,20}(?:length|window|size)|prompt is too long|too many (?:input )?tokens|maximum.{0,20}tokens|input.{0,20}exceeds/i
const FILTERED = /content.?(?:filter|policy|management)|safety (?:system|policy)|moderation|responsible.?ai/i
/** A quota is a limit that does not pass by waiting. */
const QUOTA = /insufficient.?quota|billing|credit balance/i

/** The failure that an error of the AI SDK stands for. */
export function providerErrorOf(thrown: unknown): ProviderError {
  // The SDK wraps what is thrown while it reads an answer.
  const own = causesOf(thrown).find((cause) => cause instanceof ProviderError)
  return own ?? new ProviderError(failureOf(thrown), { cause: thrown })
}

function failureOf(thrown: unknown): ProviderFailure {
  if (causesOf(thrown).some(isBreak)) return brokenOff(thrown)
  if (APICallError.isInstance(thrown)) {
    const { statusCode, responseBody = '', responseHeaders = {}, isRetryable } = thrown
    if (statusCode === undefined) return unreachable(thrown)
    if (statusCode < 400) return unreadable(thrown.message)
    const said = saidIn(responseBody) || thrown.message
    return ofStatus({ status: statusCode, said, text: responseBody, headers: responseHeaders, isRetryable })
  }
  if (StreamProviderError.isInstance(thrown)) {
    const { statusCode, message, type, code, isRetryable } = thrown
    if (statusCode !== undefined || isRetryable)
      return ofStatus({ status: statusCode ?? 500, said: message, text: `${type} ${code}`, headers: {}, isRetryable })
    return { kind: kindOfText(`${type} ${code} ${message}`) ?? 'refused', reason: message, isPassing: false }
  }
  if (NoObjectGeneratedError.isInstance(thrown)) return notOfSchema(thrown)
  if (isNetworkError(thrown)) return unreachable(thrown)
  return unreadable(messageOf(thrown))
}

interface StatusAnswer {
  readonly status: number
  readonly said: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly isRetryable: boolean
}

function ofStatus({ status, said, text, headers, isRetryable }: StatusAnswer): ProviderFailure {
  const kind = (status < 500 && kindOfText(`${said} ${text}`)) || kindOfStatus(status)
  const retryAfterMs = waitOf(headers)
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS
  return {
    kind,
    // A provider repeats a part of a key that it refuses.
    reason: kind === 'auth' ? `status ${status}` : `status ${status}: ${said}`,
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    isPassing: isRetryable && !isTooLong && !QUOTA.test(`${said} ${text}`),
  }
}

function kindOfText(text: string): AiFailureKind | undefined {
  if (TOO_LONG.test(text)) return 'context_too_long'
  return FILTERED.test(text) ? 'content_filter' : undefined
}

function unreachable(thrown: unknown): ProviderFailure {
  return { kind: 'unavailable', reason: `it can't be reached (${causeOf(thrown)})`, isPassing: true }
}

function unreadable(why: string): ProviderFailure {
  return { kind: 'unreadable', reason: why, isPassing: false }
}

function notOfSchema({ finishReason, cause }: NoObjectGeneratedError): ProviderFailure {
  if (finishReason === 'length') return unreadable('the object was cut off by the limit of tokens')
  const why = cause === undefined ? 'it is no JSON' : messageOf(cause)
  return unreadable(`the model did not write an object of the schema: ${why}`)
}

/** Not passing: the model may have done its work, and would do it again. */
function brokenOff(thrown: unknown): ProviderFailure {
  return { kind: 'interrupted', reason: `the answer broke off (${causeOf(thrown)})`, isPassing: false }
}

/** How `fetch` throws a connection that breaks while an answer is read. */
function isBreak(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.message === 'terminated'
}

function isNetworkError(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.message === 'fetch failed'
}

/** An error and what caused it, the innermost last. */
function causesOf(thrown: unknown): readonly unknown[] {
  const causes = [thrown]
  for (let last = thrown; causes.length <= 5 && last instanceof Error && last.cause instanceof Error; last = last.cause)
    causes.push(last.cause)
  return causes
}

/** The innermost cause says it in a word, such as ECONNREFUSED. */
function causeOf(thrown: unknown): string {
  const last = causesOf(thrown).at(-1)
  if (isObject(last) && typeof last.code === 'string') return last.code
  return last instanceof Error && 'code' in last && typeof last.code === 'string' ? last.code : messageOf(last)
}

/** The message in an error as all providers write it. */
function saidIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = isObject(parsed) ? parsed.error : undefined
    if (typeof error === 'string') return error
    return isObject(error) && typeof error.message === 'string' ? error.message : ''
  } catch {
    // A page of HTML says nothing to anybody.
    return ''
  }
}

/** Milliseconds, from `retry-after-ms` or from `retry-after` in seconds or as a date. */
function waitOf(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms
  const after = headers['retry-after']
  if (after === undefined) return undefined
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
