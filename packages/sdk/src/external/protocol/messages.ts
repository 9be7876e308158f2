/** The messages of the external protocol, to and from the frames that carry them. */
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { encodeFrame } from './frames.ts'
import {
  type PluginRequest,
  PluginRequestSchema,
  type PluginResponse,
  PluginResponseSchema,
} from './generated/plugin_pb.ts'
import { ProtocolError } from './protocol-error.ts'

/** What is asked; `case` says what `value` is. */
export type RequestBody = NonNullable<MessageInitShape<typeof PluginRequestSchema>['request']>
/** An answer, or a part of one. */
export type ResponseBody = NonNullable<MessageInitShape<typeof PluginResponseSchema>['response']>
/** What came as an answer. */
export type ReceivedResponse = PluginResponse['response']
/** What was asked by a peer. */
export type ReceivedRequest = PluginRequest['request']

/** The frame of a request. Throws `RangeError` when it is too long. */
export function encodeRequest(requestId: string, request: RequestBody): Uint8Array {
  return encodeFrame(toBinary(PluginRequestSchema, create(PluginRequestSchema, { requestId, request })))
}

/** The frame of an answer. Throws `RangeError` when it is too long. */
export function encodeResponse(requestId: string, response: ResponseBody): Uint8Array {
  return encodeFrame(toBinary(PluginResponseSchema, create(PluginResponseSchema, { requestId, response })))
}

/** Throws `ProtocolError` for what is no request. */
export function decodeRequest(message: Uint8Array): PluginRequest {
  try {
    return fromBinary(PluginRequestSchema, message)
  } catch (error) {
    throw unreadable('PluginRequest', message, error)
  }
}

/** Throws `ProtocolError` for what is no answer. */
export function decodeResponse(message: Uint8Array): PluginResponse {
  try {
    return fromBinary(PluginResponseSchema, message)
  } catch (error) {
    throw unreadable('PluginResponse', message, error)
  }
}

function unreadable(what: string, message: Uint8Array, cause: unknown): ProtocolError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ProtocolError(`a frame of ${message.length} bytes is no ${what}: ${why}`, { cause })
}

/** Whether more answers to the same request follow this one. */
export function isPart(response: ReceivedResponse): boolean {
  switch (response.case) {
    case 'progress':
    case 'streamChunk':
    case 'eventDelivery':
    case 'logMessage':
      return true
    default:
      return false
  }
}
