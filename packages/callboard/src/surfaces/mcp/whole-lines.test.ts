import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeLines } from './whole-lines.ts'

const bytes = fc
  .uint8Array({ maxLength: 40 })
  .map((array) => Buffer.from(array.map((byte) => (byte < 40 ? 0x0a : byte))))

it('gives every byte up to the last newline, in chunks that end with one, however the bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), async (chunks) => {
      const out: Buffer[] = await Readable.from(chunks).pipe(wholeLines(10_000)).toArray()
      const all = Buffer.concat(chunks)
      expect(Buffer.concat(out)).toEqual(all.subarray(0, all.lastIndexOf(0x0a) + 1))
      expect(out.every((chunk) => chunk.at(-1) === 0x0a)).toBe(true)
    }),
  )
})

it('refuses a line that is too long, before it is whole', async () => {
  const endless = Readable.from(
    (function* () {
      yield Buffer.from('short\n')
      while (true) yield Buffer.alloc(100, 'x')
    })(),
  )
  await expect(buffer(endless.pipe(wholeLines(1000)))).rejects.toThrow('a message is longer than 1000 bytes')
  endless.destroy()
})

it('takes lines of any number that are short enough', async () => {
  const chunks = Array.from({ length: 50 }, () => Buffer.from('a line\n'.repeat(100)))
  expect(await buffer(Readable.from(chunks).pipe(wholeLines(10)))).toEqual(Buffer.concat(chunks))
})
