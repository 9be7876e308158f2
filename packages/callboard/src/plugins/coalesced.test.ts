import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Coalesced } from './coalesced.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('many requests in the quiet time are one run', async () => {
  const task = vi.fn(() => Promise.resolve())
  const coalesced = new Coalesced(task, 100)
  for (let count = 0; count < 10; count++) coalesced.request()
  await vi.advanceTimersByTimeAsync(99)
  expect(task).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(1)
})

test('requests during a run are one more run after it, never one beside it', async () => {
  const ends: (() => void)[] = []
  const task = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const coalesced = new Coalesced(task, 100)
  coalesced.request()
  await vi.advanceTimersByTimeAsync(100)
  coalesced.request(30_000)
  coalesced.request()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(task).toHaveBeenCalledTimes(2)
})

test('after a stop nothing runs, until it is asked for again', async () => {
  const task = vi.fn(() => Promise.resolve())
  const coalesced = new Coalesced(task, 100)
  coalesced.request()
  coalesced.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(0)
  coalesced.request()
  await vi.advanceTimersByTimeAsync(100)
  expect(task).toHaveBeenCalledTimes(1)
})
