import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeLines } from './whole-lines.ts'

const bytes = fc
  .uint8Array({ maxLength: 40 })
  .map((array) => Buffer.from(array.map((byte) => (byte < 40 ? 0x0a : byte))))

const tooLong = (): never => {
  throw new Error('no line is too long here')
}

it('gives every byte up to the last newline, in chunks that end with one, however the bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bytes), async (chunks) => {
      const out: Buffer[] = await Readable.from(chunks).pipe(wholeLines(10_000, tooLong)).toArray()
      const all = Buffer.concat(chunks)
      expect(Buffer.concat(out)).toEqual(all.subarray(0, all.lastIndexOf(0x0a) + 1))
      expect(out.every((chunk) => chunk.at(-1) === 0x0a)).toBe(true)
    }),
  )
})

it('leaves out a line that is too long, tells it before it is whole, and goes on after it', async () => {
  const told: number[] = []
  const sizes = [100, 5_000, 100, 3_000, 0]
  let sent = 0
  const chunks = function* () {
    for (const [line, size] of sizes.entries()) {
      for (let left = size; left > 0; left -= 100) {
        sent = line
        yield Buffer.alloc(100, `${line}`)
      }
      yield Buffer.from('\n')
    }
  }
  const lines = Readable.from(chunks()).pipe(wholeLines(1000, () => told.push(sent)))
  expect((await buffer(lines)).toString()).toBe(`${'0'.repeat(100)}\n${'2'.repeat(100)}\n\n`)
  expect(told).toEqual([1, 3])
})

it('takes lines of any number that are short enough', async () => {
  const chunks = Array.from({ length: 50 }, () => Buffer.from('a line\n'.repeat(100)))
  expect(await buffer(Readable.from(chunks).pipe(wholeLines(10, tooLong)))).toEqual(Buffer.concat(chunks))
})
