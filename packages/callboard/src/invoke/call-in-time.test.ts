import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallboardError } from '../errors.ts'
import type { Progress, ToolResult } from '../plugins/plugin.ts'
import { type CallTime, callInTime, type TimedRun } from './call-in-time.ts'

const result: ToolResult = { content: [] }

/** A call in the hands of the test. */
function start(time: Partial<CallTime> = {}) {
  const seen: Progress[] = []
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>()
  const runs: TimedRun[] = []
  const outcome: { settled?: unknown } = {}
  const onProgress = (progress: Progress) => seen.push(progress)
  const limits = { timeoutMs: 1_000, maxTimeoutMs: 3_000, signal: undefined, onProgress, ...time }
  const call = callInTime('slow', limits, (run) => {
    runs.push(run)
    return promise
  })
  const settled = call.then(
    (value) => Object.assign(outcome, { settled: value }),
    (error: unknown) => Object.assign(outcome, { settled: error }),
  )
  return { seen, resolve, reject, runs, outcome, settled }
}

function error(code: string, message: string) {
  return expect.objectContaining({ code, message })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('callInTime', () => {
  it('settles as the run does', async () => {
    const good = start()
    good.resolve(result)
    await good.settled
    expect(good.outcome.settled).toBe(result)

    const bad = start()
    const fault = new Error('x')
    bad.reject(fault)
    await bad.settled
    expect(bad.outcome.settled).toBe(fault)
  })

  it('gives up after the timeout, though the run never settles, and aborts it', async () => {
    const { outcome, runs } = start()
    await vi.advanceTimersByTimeAsync(998)
    expect(outcome.settled).toBeUndefined()
    await vi.advanceTimersByTimeAsync(3)
    expect(outcome.settled).toEqual(error('timeout', '"slow" gave no answer and no progress for 1 s'))
    expect(runs[0]?.signal.aborted).toBe(true)
    expect(runs[0]?.signal.reason).toBe(outcome.settled)
  })

  it('gives progress more time, up to the maximum', async () => {
    const { outcome, runs, seen } = start()
    for (let step = 1; step <= 3; step++) {
      await vi.advanceTimersByTimeAsync(900)
      runs[0]?.onProgress({ progress: step })
      expect(outcome.settled).toBeUndefined()
    }
    expect(seen).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }])
    await vi.advanceTimersByTimeAsync(301)
    expect(outcome.settled).toEqual(error('timeout', '"slow" was not done after 3 s, the longest a call may take'))
  })

  it('passes on no progress after the end', async () => {
    const { outcome, runs, seen, resolve, settled } = start()
    resolve(result)
    await settled
    runs[0]?.onProgress({ progress: 1 })
    expect(seen).toEqual([])
    expect(outcome.settled).toBe(result)
  })

  it('gives up at once when the caller cancels, and drops what comes later', async () => {
    const caller = new AbortController()
    const { outcome, runs, reject } = start({ signal: caller.signal })
    caller.abort()
    expect(runs[0]?.signal.aborted).toBe(true)
    reject(new Error('a late fault must not become an unhandled rejection'))
    await vi.advanceTimersByTimeAsync(0)
    expect(outcome.settled).toEqual(error('cancelled', 'the call of "slow" was cancelled'))
  })

  it('runs nothing for a caller who has cancelled already', async () => {
    const { outcome, runs, settled } = start({ signal: AbortSignal.abort() })
    await settled
    expect(runs).toEqual([])
    expect(outcome.settled).toBeInstanceOf(CallboardError)
  })

  it('leaves no listener on the signal of the caller', async () => {
    const caller = new AbortController()
    const added = vi.spyOn(caller.signal, 'addEventListener')
    const removed = vi.spyOn(caller.signal, 'removeEventListener')
    const { resolve, settled } = start({ signal: caller.signal })
    resolve(result)
    await settled
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
    expect(added).toHaveBeenCalledOnce()
  })

  it('stands still while it is paused, and has all its time afterwards', async () => {
    const { outcome, runs } = start()
    await vi.advanceTimersByTimeAsync(900)
    const resume = runs[0]?.pause()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(outcome.settled).toBeUndefined()
    resume?.()
    await vi.advanceTimersByTimeAsync(900)
    expect(outcome.settled).toBeUndefined()
    await vi.advanceTimersByTimeAsync(101)
    expect(outcome.settled).toEqual(error('timeout', '"slow" gave no answer and no progress for 1 s'))
  })

  it('starts no timer when it is resumed after the end', async () => {
    const { runs, resolve, settled } = start()
    const resume = runs[0]?.pause()
    resolve(result)
    await settled
    resume?.()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('can wait longer than a timer can', async () => {
    const days = 24 * 3_600_000
    const { outcome, resolve, settled } = start({ timeoutMs: 60 * days, maxTimeoutMs: 60 * days })
    await vi.advanceTimersByTimeAsync(50 * days)
    expect(outcome.settled).toBeUndefined()
    resolve(result)
    await settled
    expect(outcome.settled).toBe(result)
  })
})
