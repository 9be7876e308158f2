import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, FRAME, FrameReader } from './frames.ts'
import { parseExit, parseHello, parseRunRequest } from './messages.ts'

const frame = fc.record({ kind: fc.constantFrom(...Object.values(FRAME)), payload: fc.uint8Array({ maxLength: 300 }) })

test('frames come out as they went in, however they are cut on their way', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 50 })), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(({ kind, payload }) => encodeFrame(kind, payload)))
      const reader = new FrameReader()
      const read = []
      let at = 0
      for (const cut of [...cuts, bytes.byteLength]) {
        read.push(...reader.push(bytes.subarray(at, at + cut)))
        at += cut
      }
      expect(read.map(({ kind, payload }) => [kind, [...payload]])).toEqual(
        frames.map(({ kind, payload }) => [kind, [...payload]]),
      )
    }),
  )
})

test('what is too long to be a frame is refused before it is read', () => {
  expect(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1\r\n'))).toThrow(RangeError)
})

test('nothing that the other end may say harms its reader', () => {
  const json = fc.json().map((text) => Buffer.from(text))
  const payload = fc.oneof(
    json,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
  fc.assert(
    fc.property(payload, (bytes) => {
      expect(parseHello(bytes)).toBeUndefined()
      const words = parseRunRequest(bytes)?.words ?? []
      expect(words.every((word) => typeof word === 'string')).toBe(true)
      expect(parseExit(bytes) ?? 0).toBeLessThan(256)
    }),
  )
})
