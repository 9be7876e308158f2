/** Frames come out as they went in, and garbage comes out as an error. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES } from './frames.ts'
import { decodeRequest, decodeResponse } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

/** Cuts bytes where the numbers say. */
function cut(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...pieces, bytes.subarray(at)]
}

test('messages come out as they went in, wherever their frames are cut', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 })
  fc.assert(
    fc.property(messages, fc.array(fc.nat({ max: 50 })), (written, sizes) => {
      const decoder = new FrameDecoder()
      const wire = Buffer.concat(written.map(encodeFrame))
      const read = cut(wire, sizes).flatMap((piece) => decoder.push(piece))
      expect(read.map((message) => Buffer.from(message))).toEqual(written.map((message) => Buffer.from(message)))
      expect(decoder.isInFrame).toBe(false)
    }),
  )
})

test('the largest frame is read, in small pieces too', () => {
  const message = Buffer.alloc(MAX_FRAME_BYTES, 'abc')
  const decoder = new FrameDecoder()
  const wire = encodeFrame(message)
  const read: Uint8Array[] = []
  for (let at = 0; at < wire.length; at += 10_007) read.push(...decoder.push(wire.subarray(at, at + 10_007)))
  expect(read.map((bytes) => message.equals(bytes))).toEqual([true])
})

test('what is longer than a frame is neither sent nor read', () => {
  expect(() => encodeFrame(Buffer.alloc(MAX_FRAME_BYTES + 1))).toThrow('a message of 16777217 bytes; at most 16777216')
  expect(() => new FrameDecoder().push(Buffer.of(1, 0, 0, 1))).toThrow(
    new ProtocolError('a frame of 16777217 bytes came; at most 16777216 are read'),
  )
})

test('another protocol is recognised by its first words', () => {
  expect(() => new FrameDecoder().push(Buffer.from('GET / HTTP/1.1\r\n'))).toThrow('it reads "GET "')
})

test('a head alone sets nothing aside, and half a frame not much more than half', () => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(MAX_FRAME_BYTES)
  const before = process.memoryUsage().arrayBuffers
  const decoders = Array.from({ length: 64 }, () => {
    const decoder = new FrameDecoder()
    decoder.push(head)
    return decoder
  })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024)
  for (const decoder of decoders) decoder.push(Buffer.alloc(1000))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 64 * 2)
})

test('a hundred thousand inputs end in messages or in an error of the protocol, and nothing else', {
  timeout: 60_000,
}, () => {
  const noise = fc.uint8Array({ maxLength: 64 })
  const framed = fc.array(noise, { maxLength: 4 }).map((messages) => Buffer.concat(messages.map(encodeFrame)))
  const broken = fc.tuple(framed, fc.nat(), fc.nat({ max: 255 })).map(([bytes, at, value]) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[at % copy.length] = value
    return copy
  })
  const input = fc.oneof(noise, framed, broken)
  fc.assert(
    fc.property(input, fc.nat({ max: 64 }), (bytes, size) => {
      const decoder = new FrameDecoder()
      try {
        for (const message of cut(bytes, [size]).flatMap((piece) => decoder.push(piece))) {
          decodeRequest(message)
          decodeResponse(message)
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 100_000 },
  )
})
