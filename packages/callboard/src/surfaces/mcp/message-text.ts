/** Writes messages as JSON; an answer that can't be written is answered with an error that says so. */
import { constants } from 'node:buffer'
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { encodedFields, encodedMembers } from '../../plugins/encoded-result.ts'

/** What is written one after the other: texts, and bytes that are UTF-8. */
export type Pieces = readonly (string | Uint8Array)[]

/** A message as it goes out. */
export interface MessageText {
  /** JSON without a newline. */
  readonly pieces: Pieces
  /** The request that it answers; undefined for a notification. */
  readonly answers: RequestId | undefined
}

/** Room for what a transport puts around a message: the frame of an event, a newline. */
const FRAME = 1000

/** How long the pieces are together, in characters of the texts and bytes. */
export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((length, piece) => length + piece.length, 0)
}

/** The same with short texts that stand next to each other joined, since each piece is written by itself. */
export function joined(pieces: Pieces): Pieces {
  const found: (string | Uint8Array)[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (typeof piece === 'string' && typeof last === 'string' && last.length + piece.length <= JOINED)
      found[found.length - 1] = last + piece
    else found.push(piece)
  }
  return found
}

const JOINED = 64 * 1024

/** The pieces between two texts; in one, where they are a single text. */
export function framed(before: string, pieces: Pieces, after: string): Pieces {
  const [only] = pieces
  return pieces.length === 1 && typeof only === 'string' ? [`${before}${only}${after}`] : [before, ...pieces, after]
}

/**
 * The message as text; what a result has as bytes stays what it is. `JSON.stringify` gives up on what is nested too
 * deeply, and no string is longer than half a gigabyte: such an answer becomes -32603, and a line in the log. A
 * notification of that kind throws.
 */
export function messageText(message: JSONRPCMessage, log: Log): MessageText {
  const answers = 'method' in message ? undefined : message.id
  try {
    return { pieces: encodedAnswer(message) ?? [write(message)], answers }
  } catch (thrown) {
    if (answers === undefined) throw thrown
    return { pieces: [write(errorInstead(answers, thrown, log))], answers }
  }
}

/**
 * The message itself, or the error that is answered where it is an answer that can't be written. Costs a whole writing.
 */
export function writable(message: JSONRPCMessage, log: Log): JSONRPCMessage {
  const id = 'method' in message ? undefined : message.id
  if (id === undefined) return message
  try {
    write(message)
    return message
  } catch (thrown) {
    return errorInstead(id, thrown, log)
  }
}

function encodedAnswer(message: JSONRPCMessage): Pieces | undefined {
  const fields = 'result' in message ? encodedFields(message.result) : undefined
  if (fields === undefined || !('result' in message)) return undefined
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{`
  return [head, ...encodedMembers(message.result, fields), '}}']
}

function write(message: JSONRPCMessage): string {
  const text = JSON.stringify(message)
  // In the words in which V8 refuses a text that is longer still, so that both are told alike.
  if (text.length > constants.MAX_STRING_LENGTH - FRAME) throw new RangeError('Invalid string length')
  return text
}

function errorInstead(id: RequestId, thrown: unknown, log: Log): JSONRPCMessage {
  log.error({ id, err: messageOf(thrown) }, 'an answer could not be written as JSON')
  const message = `the answer can't be sent, because it is nested too deeply or too long to be written as JSON: ${messageOf(thrown)}`
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message } }
}
