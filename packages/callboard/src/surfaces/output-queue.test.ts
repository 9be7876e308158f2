import { Writable } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import { OutputQueue } from './output-queue.ts'
import { Readers } from './readers.ts'

/** An output that takes its chunks one by one, each when it is told to. */
function output() {
  const taken: Buffer[] = []
  const held: (() => void)[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(chunk)
      held.push(done)
    },
  })
  const readAll = async (): Promise<void> => {
    const ended = new Promise((resolve) => stream.once('close', resolve))
    const reading = setInterval(() => held.shift()?.(), 0)
    await ended
    clearInterval(reading)
  }
  return { stream, taken, readAll }
}

function queueTo(stream: Writable): { readonly queue: OutputQueue; readonly readers: Readers } {
  const readers = new Readers(createLog(new Secrets(), 'silent'))
  return { queue: new OutputQueue(stream, { readers, who: () => ({}) }), readers }
}

it('what was written arrives whole and in order, texts and bytes, and no character is cut in two', async () => {
  const text = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.string({ unit: 'grapheme', maxLength: 5 }))
  const content = text.map(([times, unit]) => `a${unit}🎭`.repeat(times))
  const contents = fc.array(fc.oneof(content, content.map(Buffer.from)), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(contents, contents, async (before, after) => {
      const { stream, taken, readAll } = output()
      const { queue } = queueTo(stream)
      queue.write(before)
      queue.write(after)
      queue.end()
      await readAll()
      const expected = Buffer.concat([...before, ...after].map((piece) => Buffer.from(piece)))
      expect(Buffer.concat(taken).equals(expected)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

it('what waits is known and goes with the connection', async () => {
  const { stream } = output()
  const { queue, readers } = queueTo(stream)
  queue.write([Buffer.alloc(1_000_000)])
  expect(queue.unread).toBe(1_000_000)
  expect(readers.bytes).toBe(1_000_000)
  const sent = queue.sent()
  stream.destroy()
  await sent
  expect(readers.bytes).toBe(0)
})

it('whoever waits for the end of what waits hears of each', async () => {
  const { stream, readAll } = output()
  const { queue } = queueTo(stream)
  queue.write([Buffer.alloc(1_000_000)])
  const first = queue.sent()
  const reading = readAll()
  await first
  queue.write([Buffer.alloc(1_000_000)])
  const second = queue.sent()
  queue.end()
  await second
  expect(queue.unread).toBeLessThan(200_000)
  await reading
})

it('what is taken at once is nothing to anybody', () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
  const { queue, readers } = queueTo(stream)
  queue.write(['short'])
  queue.end()
  expect([queue.unread, readers.bytes]).toEqual([0, 0])
})
