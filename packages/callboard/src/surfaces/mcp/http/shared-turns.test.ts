import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SharedTurns } from './shared-turns.ts'

it('takes a few steps in each turn, one of each work after the other, and each work in order', async () => {
  const turns = new SharedTurns()
  const steps: string[] = []
  const work = function* (name: string, count: number): Generator<undefined, void> {
    for (let step = 1; step <= count; step += 1) {
      steps.push(`${name}${step}`)
      yield
    }
  }
  turns.add(work('a', 20))
  turns.add(work('b', 2))
  expect(steps).toEqual([])
  const atTurn: number[] = []
  while (steps.length < 22) {
    await nextTurn()
    atTurn.push(steps.length)
  }
  expect(steps.slice(0, 5)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
  expect(steps.filter((step) => step.startsWith('a'))).toEqual(Array.from({ length: 20 }, (_, n) => `a${n + 1}`))
  for (const [turn, taken] of atTurn.entries()) expect(taken - (atTurn[turn - 1] ?? 0)).toBeLessThanOrEqual(8)
})

it('goes on with the others when a step took its time', async () => {
  const turns = new SharedTurns()
  const steps: string[] = []
  const slow = function* (): Generator<undefined, void> {
    for (const end = performance.now() + 10; performance.now() < end; );
    steps.push('slow')
    yield
  }
  const quick = function* (): Generator<undefined, void> {
    steps.push('quick')
    yield
  }
  turns.add(slow())
  turns.add(quick())
  await nextTurn()
  expect(steps).toEqual(['slow'])
  await nextTurn()
  expect(steps).toEqual(['slow', 'quick'])
})
