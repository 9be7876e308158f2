import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PacedReader } from './paced-reader.ts'

test('a chunk with much work in it takes many turns, in order, before the next one is read', async () => {
  const done: string[] = []
  const stream = Readable.from([Buffer.from('a'.repeat(100)), Buffer.from('b')], { objectMode: false })
  new PacedReader(stream, function* (chunk) {
    for (const letter of chunk.toString()) {
      done.push(letter)
      yield 1
    }
  })
  let most = 0
  for (let before = 0; done.length < 101; before = done.length) {
    await nextTurn()
    most = Math.max(most, done.length - before)
  }
  expect(most).toBeLessThan(70)
  expect(done.join('')).toBe(`${'a'.repeat(100)}b`)
})

test('what is left of a chunk is done at once when the stream has ended', async () => {
  let done = 0
  const stream = new Readable({ read() {} })
  const reader = new PacedReader(stream, function* (chunk) {
    for (const _ of chunk) {
      done += 1
      yield 1
    }
  })
  const read = new Promise((resolve) => stream.once('data', resolve))
  stream.push(Buffer.alloc(1_000))
  await read
  expect(done).toBeLessThan(1_000)
  reader.finish()
  expect(done).toBe(1_000)
  stream.destroy()
})
