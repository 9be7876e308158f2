/** Messages as the existing protocol has them on the wire, field by field. */
import { expect, test } from 'vitest'
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from './messages.ts'

/** A field of protobuf: its number, its wire type 2, its length, its bytes. All of them are short here. */
function field(number: number, bytes: Uint8Array | string): Buffer {
  const value = Buffer.from(bytes)
  const key = (number << 3) | 2
  const head = key < 0x80 ? [key] : [(key & 0x7f) | 0x80, key >> 7]
  return Buffer.concat([Buffer.of(...head, value.length), value])
}

test('a call of a tool has the numbers that existing plugins read', () => {
  const frame = encodeRequest('r1', {
    case: 'toolCall',
    value: { toolName: 'echo', arguments: { text: 'hi' }, provider: 'claude', sessionId: 's' },
  })
  // A Struct is a map, whose entries have a key (1) and a Value (2), whose text has the number 3.
  const struct = field(1, Buffer.concat([field(1, 'text'), field(2, field(3, 'hi'))]))
  const call = Buffer.concat([field(1, 'echo'), field(2, struct), field(5, 'claude'), field(6, 's')])
  const message = Buffer.concat([field(1, 'r1'), field(20, call)])
  expect(Buffer.from(frame).subarray(4)).toEqual(message)
  expect(Buffer.from(frame).readUInt32BE()).toBe(message.length)
})

test.each([
  ['health', 13],
  ['listTools', 21],
  ['listPrompts', 22],
] as const)('%s has the number that existing plugins read', (name, number) => {
  const frame = encodeRequest('1', { case: name, value: {} })
  expect(Buffer.from(frame).subarray(4)).toEqual(Buffer.concat([field(1, '1'), field(number, '')]))
})

test('a list of tools of an existing plugin is read', () => {
  const schema = field(1, Buffer.concat([field(1, 'type'), field(2, field(3, 'object'))]))
  const tool = Buffer.concat([field(1, 'echo'), field(2, 'Echoes'), field(3, schema)])
  const { requestId, response } = decodeResponse(Buffer.concat([field(1, 'r2'), field(21, field(1, tool))]))
  expect(requestId).toBe('r2')
  expect(response).toMatchObject({
    case: 'listTools',
    value: { tools: [{ name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } }] },
  })
})

test('integers beyond those of doubles survive as bytes of JSON', () => {
  const json = Buffer.from('{"id":9007199254740993}')
  const frame = encodeRequest('1', { case: 'toolCall', value: { toolName: 't', argumentsJson: json } })
  const { request } = decodeRequest(frame.subarray(4))
  expect(request.case === 'toolCall' && Buffer.from(request.value.argumentsJson).toString()).toBe(json.toString())
})

test('what a newer peer asks is read as nothing known, and what is no message is an error that says so', () => {
  expect(decodeRequest(Buffer.concat([field(1, '1'), field(900, 'new')])).request).toMatchObject({ case: undefined })
  expect(() => decodeRequest(Buffer.from('nonsense'))).toThrow(/a frame of 8 bytes is no PluginRequest: /)
  expect(() => decodeResponse(Buffer.of(0xff))).toThrow(/is no PluginResponse/)
})

test('an answer is read by who asked', () => {
  const frame = encodeResponse('7', { case: 'progress', value: { progress: 1, total: 3, message: 'one' } })
  expect(decodeResponse(frame.subarray(4))).toMatchObject({
    requestId: '7',
    response: { case: 'progress', value: { progress: 1, total: 3, message: 'one' } },
  })
})
