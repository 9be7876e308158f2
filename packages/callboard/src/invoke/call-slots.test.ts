import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallSlots, type SlotLimits } from './call-slots.ts'

const never = new AbortController().signal

/** Slots, and the order in which calls were let in. */
function stage(limits: SlotLimits) {
  const slots = new CallSlots('files')
  const order: string[] = []
  const enter = (user: string, signal = never, own = limits): Promise<void> => {
    const turn = slots.enter(user, signal, own)
    return Promise.resolve(turn).then(() => void order.push(user))
  }
  return { slots, order, enter }
}

describe('the slots of a plugin', () => {
  it('are taken at once while there are some', () => {
    const slots = new CallSlots('files')
    const limits = { concurrency: 2, queue: 0 }
    expect([slots.enter('ana', never, limits), slots.enter('ana', never, limits)]).toEqual([undefined, undefined])
    expect(slots.running).toBe(2)
  })

  it('go to the users who wait by turns, and to the calls of one user in their order', async () => {
    const { slots, order, enter } = stage({ concurrency: 1, queue: 10 })
    await enter('first')
    const calls = [...'aaabbc'].map((user) => enter(user))
    for (const _ of calls) slots.leave()
    await Promise.all(calls)
    expect(order).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a'])
    slots.leave()
    expect([slots.running, slots.waiting]).toEqual([0, 0])
  })

  it('are for everybody who waits once the plugin leaves, and count down as they go', async () => {
    const { slots, order, enter } = stage({ concurrency: 1, queue: 10 })
    await enter('first')
    const calls = [...'aab'].map((user) => enter(user))
    slots.disband()
    await Promise.all(calls)
    expect([order, slots.running, slots.waiting]).toEqual([['first', 'a', 'b', 'a'], 4, 0])
    for (let call = 0; call < 4; call += 1) slots.leave()
    expect(slots.running).toBe(0)
  })

  it('refuse whom there is no room for, and say how many run and wait and what can be set', async () => {
    const { enter } = stage({ concurrency: 1, queue: 2 })
    for (let call = 0; call < 3; call += 1) void enter('ana')
    await expect(enter('ana')).rejects.toMatchObject({
      code: 'unavailable',
      message:
        'plugin "files" is too busy: 1 of its calls run and 2 wait, at most 1 and 2; call again later, or raise `concurrency` of the plugin, or `limits.queue`',
    })
  })

  it('keep room for a user who asks for less than the one who fills the queue', async () => {
    const { slots, order, enter } = stage({ concurrency: 1, queue: 3 })
    const ana = [1, 2, 3, 4].map(() => enter('ana'))
    const bob = enter('bob')
    await expect(ana[3]).rejects.toMatchObject({ code: 'unavailable' })
    await expect(Promise.race([enter('ana'), bob])).rejects.toMatchObject({ code: 'unavailable' })
    for (let call = 0; call < 3; call += 1) slots.leave()
    await Promise.all([...ana.slice(0, 3), bob])
    expect(order).toEqual(['ana', 'ana', 'bob', 'ana'])
  })

  it('are not waited for any more by a call that is over', async () => {
    const { slots, enter } = stage({ concurrency: 1, queue: 5 })
    const controller = new AbortController()
    await enter('ana')
    const call = enter('bob', controller.signal)
    const reason = new Error('cancelled')
    controller.abort(reason)
    expect(slots.waiting).toBe(0)
    await expect(call).rejects.toBe(reason)
    await expect(enter('bob', controller.signal)).rejects.toBe(reason)
    slots.leave()
    expect(slots.running).toBe(0)
  })

  it('become more or fewer with the next call', async () => {
    const { slots, order, enter } = stage({ concurrency: 1, queue: 9 })
    const calls = [...'abcd'].map((user) => enter(user))
    calls.push(enter('e', never, { concurrency: 3, queue: 9 }))
    await Promise.all(calls.slice(0, 3))
    expect(slots.running).toBe(3)
    calls.push(enter('f', never, { concurrency: 1, queue: 9 }))
    slots.leave()
    slots.leave()
    expect([slots.running, slots.waiting]).toEqual([1, 3])
    for (let call = 0; call < 3; call += 1) slots.leave()
    await Promise.all(calls)
    expect(order).toEqual([...'abcdef'])
  })

  it('are never lost nor given twice, and nobody waits for long while others are served', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('enter'), user: fc.constantFrom('a', 'b', 'c', 'd') }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('leave'), user: fc.constant('') }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), user: fc.constantFrom('a', 'b', 'c', 'd') }) },
    )
    const limits = fc.record({ concurrency: fc.integer({ min: 1, max: 4 }), queue: fc.integer({ min: 0, max: 8 }) })
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 120 }), async (given, steps) => {
        const slots = new CallSlots('files')
        const waiting: { readonly user: string; readonly controller: AbortController; passedBy: number }[] = []
        let running = 0
        const settled: Promise<unknown>[] = []
        for (const { kind, user } of steps) {
          if (kind === 'enter') {
            const call = { user, controller: new AbortController(), passedBy: 0 }
            const turn = slots.enter(user, call.controller.signal, given)
            if (turn === undefined) running += 1
            else {
              waiting.push(call)
              const gone = (): void => void waiting.splice(waiting.indexOf(call), 1)
              settled.push(
                turn.then(
                  () => {
                    running += 1
                    gone()
                    // Whoever is first of its user is passed by each other user at most once.
                    expect(call.passedBy).toBeLessThan(4)
                    const firsts = new Map(waiting.map((other) => [other.user, other] as const).reverse())
                    for (const other of firsts.values()) other.passedBy += other.user === user ? 0 : 1
                  },
                  () => gone(),
                ),
              )
            }
          } else if (kind === 'leave' && running > 0) {
            running -= 1
            slots.leave()
          } else if (kind === 'cancel') {
            waiting.find((call) => call.user === user)?.controller.abort(new Error('cancelled'))
          }
          for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
          expect(slots.running).toBe(running)
          expect(slots.waiting).toBe(waiting.length)
          expect(running).toBeLessThanOrEqual(given.concurrency)
          expect(waiting.length).toBeLessThanOrEqual(given.queue)
          expect(waiting.length === 0 || running === given.concurrency).toBe(true)
        }
        while (running > 0) {
          running -= 1
          slots.leave()
          for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
        }
        await Promise.all(settled)
        expect([slots.running, slots.waiting]).toEqual([0, 0])
      }),
      { numRuns: 300 },
    )
  })
})
