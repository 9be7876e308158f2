import { afterEach, expect, test, vi } from 'vitest'
import { RestartPlan } from './restart-plan.ts'

afterEach(() => vi.restoreAllMocks())

/** The waits between the failures of a plugin until it is given up. */
function waits(): number[] {
  const plan = new RestartPlan({})
  const all: number[] = []
  for (plan.wentDown(); !plan.isHopeless; plan.wentDown()) all.push(plan.nextDelayMs())
  return all
}

test.each([
  [0, 72],
  [0.999_999, 61],
])(
  'a plugin survives that what it needs is away for a minute, and is given up soon after (random: %d)',
  (random, s) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const all = waits()
    expect(all).toHaveLength(9)
    const sum = all.reduce((a, b) => a + b, 0)
    expect(sum).toBeGreaterThan(60_000)
    expect(Math.floor(sum / 1000)).toBe(s)
  },
)

test('the first waits are short, each is longer than the one before, and none is longer than a minute', () => {
  const all = waits()
  expect(all[0]).toBeLessThanOrEqual(100)
  expect((all[0] ?? 0) + (all[1] ?? 0) + (all[2] ?? 0)).toBeLessThan(1_000)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  const plan = new RestartPlan({})
  for (let n = 0; n < 30; n += 1) expect(plan.nextDelayMs()).toBeLessThanOrEqual(60_000)
})

test('a plugin that was up for a steady time begins with the first wait again', () => {
  const plan = new RestartPlan({ steadyMs: 0 })
  for (let n = 0; n < 5; n += 1) plan.nextDelayMs()
  plan.wentUp()
  plan.wentDown()
  expect([plan.failures, plan.nextDelayMs() <= 100]).toEqual([1, true])
})
