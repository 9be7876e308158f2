import { describe, expect, test } from 'vitest'
import { CallboardError } from '../../errors.ts'
import { type BodyCut, events, type Piece, whole } from './body-cut.ts'
import type { LargeAnswer } from './large-answer.ts'

const options = {
  maxBytes: 1_000_000,
  tooLong: () => new CallboardError('tool_failed', 'too long'),
  onLeftOut: () => {},
}
const answer = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { content: ['x'.repeat(400_000)] } })
const filling = 'x'.repeat(1_100_000)
const unasked = JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { filling } })
const large = { maxBytes: 2_000_000, onLargeAnswer: () => true }
const empty = '{"jsonrpc":"2.0","id":7,"result":{}}'

/** What comes out of a body that comes in chunks of some kilobytes, and what is asked for once more after its end. */
async function through(cut: BodyCut, body: string): Promise<readonly string[]> {
  const bytes = Buffer.from(body)
  const pieces: Piece[] = []
  for (let at = 0; at < bytes.length; at += 10_000) pieces.push(...(await cut(bytes.subarray(at, at + 10_000))))
  pieces.push(...(await cut(undefined)), ...(await cut(undefined)))
  const made = await Promise.all(pieces.map(async (piece) => (typeof piece === 'function' ? piece() : piece)))
  return made.filter(({ length }) => length > 0).map(String)
}

function taking(takes: boolean) {
  const taken: unknown[] = []
  const onLargeAnswer = ({ id }: LargeAnswer): boolean => {
    taken.push(id)
    return takes
  }
  return { onLargeAnswer, taken }
}

describe('of a body that is one message', () => {
  test('a large answer that is taken leaves an empty one', async () => {
    const { onLargeAnswer, taken } = taking(true)
    expect(await through(whole({ ...options, onLargeAnswer }), answer)).toEqual([empty])
    expect(taken).toEqual([7])
  })

  test.each([
    ['that nobody takes', answer],
    ['that is no answer', JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x'.repeat(400_000) } })],
    ['that is no JSON', answer.slice(0, -1)],
    ['that is small', empty],
  ])('one %s comes as it is', async (_, body) => {
    expect((await through(whole({ ...options, onLargeAnswer: () => false }), body)).join('')).toBe(body)
  })

  test('what is no result and too large for that is an error, or leaves one in its place', async () => {
    const cut = (): BodyCut => whole({ ...options, ...large })
    await expect(through(cut(), unasked)).rejects.toThrow('that are read of what is no result')
    const error = { code: 1, message: 'm', data: filling }
    const [instead] = await through(cut(), JSON.stringify({ jsonrpc: '2.0', id: 7, error }))
    expect(JSON.parse(instead ?? '')).toMatchObject({ id: 7, error: { message: expect.stringContaining('no result') } })
  })

  test('so does a small one with numbers that get lost in doubles, and no other', async () => {
    const { onLargeAnswer, taken } = taking(true)
    const withNumber = (number: string): string => `{"jsonrpc":"2.0","id":7,"result":{"n":${number}}}`
    expect(await through(whole({ ...options, onLargeAnswer }), withNumber('1.0'))).toEqual([empty])
    expect(await through(whole({ ...options, onLargeAnswer }), withNumber('1'))).toEqual([withNumber('1')])
    expect(taken).toEqual([7])
  })

  test('one beyond the bound is an error', async () => {
    const cut = whole({ ...options, onLargeAnswer: () => true })
    await expect(through(cut, 'x'.repeat(1_000_001))).rejects.toThrow('too long')
  })
})

describe('of a stream of events', () => {
  const event = (data: string, more = ''): string => `${more}data: ${data}\n\n`
  const around = (middle: string): string => `${event('1')}${middle}${event('2', 'id: 9\n')}`

  test('a large answer that is taken leaves an empty one, with the id of its event', async () => {
    const { onLargeAnswer, taken } = taking(true)
    const cut = events({ ...options, onLargeAnswer, onLongEvent: undefined })
    const stream = around(event(answer, 'id: 8\nevent: message\n'))
    expect((await through(cut, stream)).join('')).toBe(around(event(empty, 'id: 8\nevent: message\n')))
    expect(taken).toEqual([7])
  })

  test('a large event that nobody takes, or of another kind, comes as it is and in one piece', async () => {
    for (const middle of [event(answer), event(answer, 'event: other\n')]) {
      const { onLargeAnswer, taken } = taking(middle !== event(answer))
      const cut = events({ ...options, onLargeAnswer, onLongEvent: undefined })
      const pieces = await through(cut, around(middle))
      expect(pieces.join('')).toBe(around(middle))
      expect(pieces).toContain(middle)
      expect(taken).toEqual(middle === event(answer) ? [7] : [])
    }
  })

  test('an answer with numbers that get lost in doubles is taken after what stands before it', async () => {
    const { onLargeAnswer, taken } = taking(true)
    const cut = events({ ...options, onLargeAnswer, onLongEvent: undefined })
    const odd = '{"jsonrpc":"2.0","id":7,"result":{"n":1.0}}'
    const pieces = await cut(Buffer.from(around(event(odd, 'id: 8\n'))))
    expect(taken).toEqual([])
    const texts: string[] = []
    for (const piece of pieces) texts.push(String(typeof piece === 'function' ? await piece() : piece))
    expect(texts).toEqual([event('1'), event(empty, 'id: 8\n'), event('2', 'id: 9\n')])
    expect(taken).toEqual([7])
  })

  test('what is no result and too large for that is left out, whatever it is', async () => {
    for (const middle of [event(unasked), event(unasked, 'event: other\n'), event(unasked.slice(1))]) {
      const reasons: string[] = []
      const onLeftOut = (reason: string): void => void reasons.push(reason)
      const cut = events({ ...options, ...large, onLeftOut, onLongEvent: undefined })
      expect((await through(cut, around(middle))).join('')).toBe(around(''))
      expect(reasons).toEqual([expect.stringContaining('that are read of what is no result')])
    }
  })

  test('an event beyond the bound ends a stream that answers one request, and is left out of any other', async () => {
    const stream = around(event(`{"a":1,${'x'.repeat(1_100_000)}"id":7}`))
    const ending = events({ ...options, onLargeAnswer: () => true, onLongEvent: undefined })
    await expect(through(ending, stream)).rejects.toThrow('too long')
    const edges: string[] = []
    const going = events({ ...options, onLargeAnswer: () => true, onLongEvent: (both) => edges.push(both) })
    expect((await through(going, stream)).join('')).toBe(around(''))
    expect(edges).toEqual([expect.stringMatching(/^data: \{"a":1,x+"id":7\}\n\n$/)])
  })
})
