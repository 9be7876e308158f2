/** Cuts the body of an HTTP answer into what its reader gets, and takes large answers out of it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallboardError } from '../../errors.ts'
import { EventCutter } from './event-cutter.ts'
import { findAnswer, LARGE_BYTES, type LargeAnswer } from './large-answer.ts'
import { splitEvent } from './large-event.ts'

/** Makes pieces of a chunk, or of the end where there is none; asked again after the end, none. */
export type BodyCut = (chunk: Buffer | undefined) => readonly Buffer[] | Promise<readonly Buffer[]>

export interface BodyCutOptions {
  readonly maxBytes: number
  readonly tooLong: () => CallboardError
  /** Whether the answer was taken, so that one without content may come in its place. */
  readonly onLargeAnswer: (answer: LargeAnswer) => boolean
}

/** How long a large answer is worked on in one turn. */
const TURN_MS = 2

/** Of a body that is one message: it is held back until it is whole, since nobody can do anything with a part of it. */
export function whole({ maxBytes, tooLong, onLargeAnswer }: BodyCutOptions): BodyCut {
  const held: Buffer[] = []
  let bytes = 0
  return async (chunk) => {
    if (chunk === undefined) {
      const parts = held.splice(0)
      const empty = bytes < LARGE_BYTES ? undefined : await takenFrom(parts, onLargeAnswer)
      return empty === undefined ? parts : [Buffer.from(empty)]
    }
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong()
    held.push(chunk)
    return []
  }
}

export interface EventCutOptions extends BodyCutOptions {
  /** Called with both ends of an event beyond the bound, which is left out; without it such an event ends the body. */
  readonly onLongEvent: ((edges: string) => void) | undefined
}

/** Of a body that is a stream of events. */
export function events({ maxBytes, tooLong, onLargeAnswer, onLongEvent }: EventCutOptions): BodyCut {
  const cutter = new EventCutter(maxBytes)
  return async (chunk) => {
    if (chunk === undefined) return [cutter.end()]
    const { large, edges, pieces } = cutter.push(chunk)
    if (cutter.isBeyond && onLongEvent === undefined) throw tooLong()
    if (edges !== undefined) onLongEvent?.(edges)
    return large === undefined ? pieces : [await withoutAnswer(large, onLargeAnswer), ...pieces]
  }
}

const OTHER_EVENT = /^event:(?! ?message$)/m

async function withoutAnswer(
  event: readonly Buffer[],
  onLargeAnswer: BodyCutOptions['onLargeAnswer'],
): Promise<Buffer> {
  const { others, data } = await inTurns(splitEvent(event))
  const empty = OTHER_EVENT.test(others) ? undefined : await takenFrom(data, onLargeAnswer)
  // In one piece: a parser that gets it in many looks through its beginning again with each.
  return empty === undefined ? Buffer.concat(event) : Buffer.from(`${others}data: ${empty}\n\n`)
}

/** The answer without content that may stand in the place of one that was taken; undefined when it was not. */
async function takenFrom(
  parts: readonly Buffer[],
  onLargeAnswer: BodyCutOptions['onLargeAnswer'],
): Promise<string | undefined> {
  const answer = await inTurns(findAnswer(parts))
  if (answer === undefined || !onLargeAnswer(answer)) return undefined
  return JSON.stringify({ jsonrpc: '2.0', id: answer.id, result: {} })
}

async function inTurns<Outcome>(work: Generator<undefined, Outcome>): Promise<Outcome> {
  for (let end = performance.now() + TURN_MS; ; ) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + TURN_MS
  }
}
