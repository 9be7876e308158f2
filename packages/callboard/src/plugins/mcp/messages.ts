/** Tells JSON-RPC messages from whatever else a server writes to its stdout. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client'

export type JsonObject = Record<string, unknown>

/** Whether the value is an object and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The messages in one line: one, or several where an old server sends a batch. Undefined when the line is none. Nothing is
 * copied or checked beyond what makes a message, so that results reach the caller as they were sent.
 */
export function messagesIn(line: string): readonly JSONRPCMessage[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value]
  return values.every(isMessage) ? values : undefined
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false
  if (typeof value.method === 'string') return true
  return value.id !== undefined && (isObject(value.error) || value.result !== undefined)
}
