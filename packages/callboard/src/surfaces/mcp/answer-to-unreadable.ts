/** What is answered to a message that is no message of JSON-RPC, or not one of MCP. */
import { ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import { isObject } from '../../is-object.ts'

interface Complaint {
  readonly jsonrpc: '2.0'
  /** Null where the message says no id. */
  readonly id: RequestId | null
  readonly error: { readonly code: number; readonly message: string }
}

/**
 * The error for a message that was not taken; `value` is undefined where it was no JSON. Undefined for a notification
 * and for an answer, to which nothing may be answered.
 */
export function answerToUnreadable(value: unknown): Complaint | undefined {
  if (value === undefined) return complaint(null, ProtocolErrorCode.ParseError, 'the message is not valid JSON')
  if (Array.isArray(value))
    return complaint(
      null,
      ProtocolErrorCode.InvalidRequest,
      'batches are not served here; send each message on a line of its own',
    )
  const { jsonrpc, method, params, id, ...rest }: Partial<Record<string, unknown>> = Object(value)
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  if (method === undefined && ('result' in rest || 'error' in rest)) return undefined
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    return complaint(known, ProtocolErrorCode.InvalidRequest, 'a message needs "jsonrpc": "2.0" and a method')
  if (id === undefined) return undefined
  const [odd] = Object.keys(rest)
  if (odd !== undefined)
    return complaint(known, ProtocolErrorCode.InvalidRequest, `a request has no ${JSON.stringify(odd)}; leave it out`)
  if (known === null || (typeof known === 'number' && !Number.isSafeInteger(known)))
    return complaint(known, ProtocolErrorCode.InvalidRequest, 'the id of a request must be a string or a whole number')
  if (!isObject(params)) return complaint(known, ProtocolErrorCode.InvalidParams, 'params must be an object')
  return complaint(
    known,
    ProtocolErrorCode.InvalidParams,
    'params._meta must be an object, and its progressToken a string or a whole number',
  )
}

/** The error in words, for the request of this id, or for none that is known. */
export function complaint(id: RequestId | null, code: number, message: string): Complaint {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
