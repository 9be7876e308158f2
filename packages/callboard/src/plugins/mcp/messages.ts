/** Tells JSON-RPC messages from whatever else a server writes to its stdout. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isObject } from '../../is-object.ts'

const MAY_BE_MESSAGES = /^\s*[{[]/
/** JSON-RPC 2.0, 5.1. */
export const INTERNAL_ERROR: number = -32603

/** Beyond this one message is not a tool's result but an accident. */
export const MAX_MESSAGE_BYTES: number = 128 * 1024 * 1024

export type JsonObject = Record<string, unknown>

/**
 * The messages in one line: one, or several where an old server sends a batch. Undefined when the line is none. Nothing
 * is copied or checked beyond what makes a message, so that results reach the caller as they were sent; an answer has
 * either a result or an error with a code and a message, whatever the server made of it.
 */
export function messagesIn(line: string): readonly JSONRPCMessage[] | undefined {
  // A failed parse is dear, and a flood of such lines is not: nothing else can be a message.
  if (!MAY_BE_MESSAGES.test(line)) return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value]
  if (!values.every(isObject)) return undefined
  for (const answer of values) if (answer.method === undefined && 'error' in answer) mendError(answer)
  return values.every(isMessage) ? values : undefined
}

/** Servers of JSON-RPC 1.0 send both, one of them null; others send the bare words. */
function mendError(answer: JsonObject): void {
  const { error, result } = answer
  delete answer.error
  if (error === null && result !== undefined && result !== null) return
  delete answer.result
  answer.error = { ...(isObject(error) && error), ...readableError(error) }
}

function readableError(error: unknown): { readonly code: number; readonly message: string } {
  if (error === null) return { code: INTERNAL_ERROR, message: 'the server answered with neither a result nor an error' }
  if (!isObject(error)) {
    const words =
      typeof error === 'string' ? error : `the server answered with an error that is no object: ${shown(error)}`
    return { code: INTERNAL_ERROR, message: words }
  }
  const { code, message } = error
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'the server gave no reason',
  }
}

/** Of a list only the first level, which can't be too deep to be written. */
function shown(error: unknown): string {
  if (!Array.isArray(error)) return String(error)
  return JSON.stringify(error.slice(0, 3).map((part: unknown) => (typeof part === 'object' && part ? '…' : part)))
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false
  if (typeof value.method === 'string') return true
  return value.id !== undefined && (isObject(value.error) || value.result !== undefined)
}
