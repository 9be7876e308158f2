import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import { type Reader, Readers } from './readers.ts'

const LIMITS = { maxBytes: 1000, leastBytes: 100, windowMs: 60_000 }

let lines: string[]
let readers: Readers

/** A reader for whom so much waits, and who takes what a test says. */
class TestReader implements Reader {
  readonly who: Reader['who']
  unread = 0
  isCut = false

  constructor(tool: string) {
    this.who = { user: 'ana', tool }
  }

  write(bytes: number): this {
    this.unread += bytes
    readers.wait(this, bytes)
    return this
  }

  cut(): void {
    this.isCut = true
    this.unread = 0
  }
}

/** Lets seconds pass, in each of which a reader takes so much. */
function pass(seconds: number, taking: readonly (readonly [TestReader, number])[] = []): void {
  for (let second = 0; second < seconds; second += 1) {
    for (const [reader, bytes] of taking) reader.unread = Math.max(0, reader.unread - bytes)
    vi.advanceTimersByTime(1000)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const log = createLog(new Secrets(), 'warn', { write: (line: string) => lines.push(line) })
  readers = new Readers(log, LIMITS)
})

afterEach(() => {
  vi.useRealTimers()
})

it('whoever takes nothing goes after a window, with a line in the log', () => {
  const reader = new TestReader('big').write(500)
  pass(59)
  expect(reader.isCut).toBe(false)
  pass(1)
  expect(reader.isCut).toBe(true)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    user: 'ana',
    tool: 'big',
    bytes: 500,
    reason: 'it took 0 bytes in 60 s, and 100 are the least',
  })
})

it('whoever takes the least in each window stays, and so does one that has less than that to take', () => {
  const much = new TestReader('much').write(900)
  const little = new TestReader('little').write(50)
  pass(240, [
    [much, 2],
    [little, 1],
  ])
  expect([much.isCut, little.isCut, readers.bytes]).toEqual([false, false, 420])
})

it('whoever takes less than the least in a window goes, however evenly', () => {
  const reader = new TestReader('big').write(900)
  pass(61, [[reader, 1]])
  expect(reader.isCut).toBe(true)
})

it('where more waits than may, those go who have waited longest', () => {
  const [first, second, third] = ['first', 'second', 'third'].map((name) => new TestReader(name).write(400))
  expect([first?.isCut, second?.isCut, third?.isCut]).toEqual([false, false, false])
  pass(2)
  expect([first?.isCut, second?.isCut, third?.isCut]).toEqual([true, false, false])
  const fourth = new TestReader('fourth').write(300)
  expect([second?.isCut, third?.isCut, fourth.isCut]).toEqual([true, false, false])
  expect(readers.bytes).toBe(700)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ tool: 'first', bytes: 400, reason: expect.stringMatching('1000') })
})

it('whoever has no more than a share stays, however long it has waited', () => {
  const small = new TestReader('small').write(100)
  pass(10)
  const large = new TestReader('large').write(1000)
  pass(2)
  expect([small.isCut, large.isCut]).toEqual([false, true])
})

it('whoever reads well stays, though more waits than may', () => {
  const quick = new TestReader('quick').write(6000)
  pass(50, [[quick, 110]])
  expect([quick.isCut, quick.unread]).toEqual([false, 500])
})

it('one that was read well and then is not goes', () => {
  const reader = new TestReader('fickle').write(6000)
  pass(10, [[reader, 110]])
  pass(8)
  expect(reader.isCut).toBe(true)
})

it('nothing runs when nothing waits', () => {
  expect(vi.getTimerCount()).toBe(0)
  const reader = new TestReader('big').write(500)
  expect(vi.getTimerCount()).toBe(1)
  pass(1, [[reader, 500]])
  expect([vi.getTimerCount(), readers.bytes]).toEqual([0, 0])
})
