import { afterEach, expect, test, vi } from 'vitest'
import { EraMemory } from './era-memory.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('nothing is remembered of a usual server', () => {
  const eras = new EraMemory(undefined)
  expect([eras.first, eras.hints]).toEqual(['auto', undefined])
})

test.each(['legacy', 'modern', 'sse'] as const)(
  'that it was %s lasts a week, over restarts, and not longer by being used',
  (greeting) => {
    vi.useFakeTimers({ now: 0 })
    const eras = new EraMemory(undefined)
    eras.learn(greeting)
    vi.setSystemTime(6 * 24 * 3_600_000)
    const later = new EraMemory(JSON.parse(JSON.stringify(eras.hints)))
    expect(later.first).toBe(greeting)
    vi.setSystemTime(8 * 24 * 3_600_000)
    expect(new EraMemory(later.hints).first).toBe('auto')
  },
)

test('what was learned can be forgotten', () => {
  const eras = new EraMemory(undefined)
  eras.learn('modern')
  eras.forget()
  expect([eras.first, eras.hints]).toEqual(['auto', undefined])
})

test.each([{}, { era: 1 }, { era: { greeting: 'auto', learnedAt: 1 } }, { era: { greeting: 'legacy' } }])(
  'hints of another shape (%j) are no hints',
  (hints) => {
    expect(new EraMemory(hints).first).toBe('auto')
  },
)
