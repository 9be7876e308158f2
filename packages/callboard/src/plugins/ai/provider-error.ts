/** Why a provider gave no answer, told from whatever the AI SDK threw. */
import {
  APICallError,
  JSONParseError,
  type LanguageModelUsage,
  NoObjectGeneratedError,
  StreamProviderError,
  TypeValidationError,
} from 'ai'
import { messageOf } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { AiFailureKind } from '../ai-answer.ts'

/** No longer one is told, whatever a provider says. */
const LONGEST_TOLD_MS = 30 * 24 * 60 * 60 * 1_000

export interface ProviderFailure {
  readonly kind: AiFailureKind
  /** What happened, and what the provider said of it. */
  readonly reason: string
  readonly status?: number
  /** When the provider is to be asked again, if it said so. */
  readonly retryAfterMs?: number
  /** Whether the same request may succeed a little later. */
  readonly isPassing: boolean
  /** What the model did for an answer that can't be used. */
  readonly spent?: Spent
}

/** Why a model wrote no more, and what it took, in tokens. */
export interface Spent {
  readonly finishReason: string
  readonly usage: { readonly input?: number; readonly output?: number }
}

/** What the SDK says of that. */
export function spentOf(finishReason: string, usage: LanguageModelUsage | undefined): Spent {
  const { inputTokens, outputTokens } = usage ?? {}
  return {
    finishReason,
    usage: {
      ...(inputTokens !== undefined && { input: inputTokens }),
      ...(outputTokens !== undefined && { output: outputTokens }),
    },
  }
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
/** Google refuses a key with status 400. */
const BAD_KEY = /api.?key.{0,80}(?:not valid|invalid|expired)|(?:invalid|incorrect).{0,10}api.?key/i
/** A quota is a limit that does not pass by waiting. */
const QUOTA = /insufficient.?quota|billing|credit balance/i

/** The failure that an error of the AI SDK stands for. */
export function providerErrorOf(thrown: unknown): ProviderError {
  // The SDK wraps what is thrown while it reads an answer.
  const own = causesOf(thrown).find((cause) => cause instanceof ProviderError)
  if (own !== undefined) return own
  const failure = failureOf(thrown)
  return new ProviderError({ ...failure, reason: inOneLine(failure.reason) }, { cause: thrown })
}

/** A provider may write anything, and its words end on a terminal. */
function inOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function failureOf(thrown: unknown): ProviderFailure {
  if (causesOf(thrown).some(isBreak)) return brokenOff(thrown)
  if (APICallError.isInstance(thrown)) {
    const { statusCode, responseBody = '', responseHeaders = {}, isRetryable } = thrown
    if (statusCode === undefined) return unreachable(thrown)
    if (statusCode < 400) return misread(saidIn(responseBody), thrown.message)
    const said = saidIn(responseBody) || thrown.message
    return ofStatus({ status: statusCode, said, text: responseBody, headers: responseHeaders, isRetryable })
  }
  if (StreamProviderError.isInstance(thrown)) {
    const { statusCode, message, type, code, isRetryable } = thrown
    if (statusCode !== undefined || isRetryable)
      return ofStatus({ status: statusCode ?? 500, said: message, text: `${type} ${code}`, headers: {}, isRetryable })
    const kind = kindOfText(`${type} ${code} ${message}`) ?? 'refused'
    return { kind, reason: saying('it sent an error', message, kind), isPassing: false }
  }
  if (NoObjectGeneratedError.isInstance(thrown)) return notOfSchema(thrown)
  // What the SDK says of these is a page of its own types.
  if (TypeValidationError.isInstance(thrown)) return misread(saidOf(thrown.value), 'it is not in the form of its API')
  if (JSONParseError.isInstance(thrown)) return misread('', 'it is no JSON')
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
  return {
    kind,
    reason: saying(`status ${status}`, said, kind),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    isPassing: isRetryable && !QUOTA.test(`${said} ${text}`),
  }
}

function kindOfText(text: string): AiFailureKind | undefined {
  if (BAD_KEY.test(text)) return 'auth'
  if (TOO_LONG.test(text)) return 'context_too_long'
  return FILTERED.test(text) ? 'content_filter' : undefined
}

function unreachable(thrown: unknown): ProviderFailure {
  return { kind: 'unavailable', reason: `it can't be reached (${causeOf(thrown)})`, isPassing: true }
}

/** Of what is no answer: the error that is in it, or what is wrong with it. */
function misread(said: string, fault: string): ProviderFailure {
  if (said === '') return unreadable(`what it sent can't be read: ${fault}`)
  const kind = kindOfText(said) ?? 'unreadable'
  return { kind, reason: saying('it sent an error', said, kind), isPassing: false }
}

/** A provider repeats a part of a key that it refuses. */
function saying(what: string, said: string, kind: AiFailureKind): string {
  return kind === 'auth' ? what : `${what}: ${said}`
}

function unreadable(why: string): ProviderFailure {
  return { kind: 'unreadable', reason: why, isPassing: false }
}

function notOfSchema({ finishReason = 'other', usage, cause }: NoObjectGeneratedError): ProviderFailure {
  const spent = spentOf(finishReason, usage)
  if (finishReason === 'length') return { ...unreadable('the object was cut off by the limit of tokens'), spent }
  const why = cause === undefined || JSONParseError.isInstance(cause) ? 'it is no JSON' : whyNot(cause)
  return { ...unreadable(`the model did not write an object of the schema: ${why}`), spent }
}

/** The SDK repeats the whole object beside what is wrong with it. */
function whyNot(cause: unknown): string {
  return messageOf(TypeValidationError.isInstance(cause) ? cause.cause : cause)
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

/** The message in an error as all providers write it; '' when there is none. */
function saidIn(body: string): string {
  try {
    return saidOf(JSON.parse(body))
  } catch {
    // A page of HTML says nothing to anybody.
    return ''
  }
}

function saidOf(answer: unknown): string {
  const error = isObject(answer) ? answer.error : undefined
  if (typeof error === 'string') return error
  return isObject(error) && typeof error.message === 'string' ? error.message : ''
}

/** Milliseconds, from `retry-after-ms` or from `retry-after` in seconds or as a date. */
function waitOf(headers: Readonly<Record<string, string>>): number | undefined {
  const wait = numberIn(headers['retry-after-ms']) ?? secondsOrDate(headers['retry-after'])
  return wait === undefined ? undefined : Math.min(Math.max(0, wait), LONGEST_TOLD_MS)
}

function secondsOrDate(text: string | undefined): number | undefined {
  const seconds = numberIn(text)
  if (seconds !== undefined) return seconds * 1_000
  // Nearly any number is a date to it.
  const wait = /^[A-Z][a-z]{2},/.test(text ?? '') ? Date.parse(text ?? '') - Date.now() : Number.NaN
  return Number.isNaN(wait) ? undefined : wait
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
