import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventMemory } from './event-memory.ts'

const nothing = (): undefined => undefined

describe('the memory of what streams carried', () => {
  it('gives what was kept of the same stream after an event, in order and without gaps, and is never larger than it may be', () => {
    const keeps = fc.array(
      fc.record({ session: fc.nat(2), stream: fc.nat(2), length: fc.nat(600), ends: fc.boolean() }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(
        keeps,
        fc.integer({ min: 200, max: 5_000 }),
        fc.integer({ min: 200, max: 2_000 }),
        (steps, all, each) => {
          const memory = new EventMemory(all, each)
          const sessions = [0, 1, 2].map(() => memory.forSession())
          const sent = new Map<number, { readonly session: number; readonly stream: number; readonly id: string }>()
          for (const [nth, { session, stream, length, ends }] of steps.entries()) {
            const data = `${nth}:`.padEnd(length, 'x')
            if (ends) sessions[session]?.clear()
            sent.set(nth, { session, stream, id: sessions[session]?.keep(stream, [data], nothing) ?? '' })
            expect(memory.bytes).toBeLessThanOrEqual(all)
            const ids = [...sent.values()].filter((it) => it.session === session && it.stream === stream)
            const [first] = ids
            const after = sessions[session]?.after(first?.id ?? '')?.events ?? []
            const later = ids.slice(1).map(({ id }) => id)
            const kept = after.map(({ id }) => id)
            // What was dropped was the oldest, or too large to be kept, so what is left is in the order in which it
            // came.
            expect(later.filter((id) => kept.includes(id))).toEqual(kept)
          }
          for (const session of sessions) session.clear()
          expect(memory.bytes).toBe(0)
        },
      ),
    )
  })

  it('lets the oldest events of all go first, whosever they are', () => {
    const memory = new EventMemory(1_000, 1_000)
    const [idle, busy] = [memory.forSession(), memory.forSession()]
    const old = idle.mark(1)
    idle.keep(1, ['old'], nothing)
    const start = busy.mark(1)
    for (let nth = 1; nth <= 9; nth++) busy.keep(1, [`${nth}`], nothing)
    expect(idle.after(old)?.events).toEqual([])
    expect(busy.after(start)?.events.flatMap(({ data }) => data)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('keeps what is said instead of an event that is too large, under the same id', () => {
    const events = new EventMemory(10_000, 1_000).forSession()
    const start = events.mark(7)
    const id = events.keep(7, ['x'.repeat(1_000)], (bytes) => [`${bytes} bytes`])
    expect(events.after(start)).toEqual({ stream: 7, events: [expect.objectContaining({ id, data: ['1000 bytes'] })] })
  })

  it.each(['', 'x', '1', '1-', '-1', '1-x', ' 1-1', '1-1 ', '1-99999999999999999999'])('knows no event %j', (id) => {
    expect(new EventMemory(1_000, 1_000).forSession().after(id)).toBeUndefined()
  })
})
