/** Cuts the body of an HTTP answer into what its reader gets, and takes large answers out of it. */
import { CallboardError } from '../../errors.ts'
import { mayLoseDigits } from '../../may-lose-digits.ts'
import { inTurns } from '../in-turns.ts'
import { EventCutter, eachEvent } from './event-cutter.ts'
import { LARGE_BYTES, type LargeAnswer } from './large-answer.ts'
import { splitEvent } from './large-event.ts'
import { takeLarge, whyLeftOut } from './take-large.ts'

/** What the reader gets, or what makes it once everything before has reached the reader. */
export type Piece = Buffer | (() => Promise<Buffer>)

/** Makes pieces of a chunk, or of the end where there is none; asked again after the end, none. */
export type BodyCut = (chunk: Buffer | undefined) => readonly Piece[] | Promise<readonly Piece[]>

export interface BodyCutOptions {
  readonly maxBytes: number
  readonly tooLong: () => CallboardError
  /** Whether the answer was taken, so that one without content may come in its place. */
  readonly onLargeAnswer: (answer: LargeAnswer) => boolean
  /** Called with the words for what is no result and too large for that, and both its ends where these may tell whose it is. */
  readonly onLeftOut: (reason: string, edges?: string) => void
}

/** Of a body that is one message: it is held back until it is whole, since nobody can do anything with a part of it. */
export function whole({ maxBytes, tooLong, onLargeAnswer, onLeftOut }: BodyCutOptions): BodyCut {
  const held: Buffer[] = []
  let bytes = 0
  return async (chunk) => {
    if (chunk === undefined) {
      const parts = held.splice(0)
      const isMeant = bytes >= LARGE_BYTES || mayLose(parts)
      const taken = isMeant ? await inTurns(takeLarge(parts, onLargeAnswer)) : undefined
      if (taken === undefined) return parts
      const { reason, instead } = taken
      if (reason !== undefined) onLeftOut(reason)
      // It answers the request, whatever it is.
      if (instead === undefined) throw new CallboardError('tool_failed', reason ?? 'the server sent no answer')
      return [Buffer.from(instead)]
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
export function events(options: EventCutOptions): BodyCut {
  const { maxBytes, tooLong, onLongEvent } = options
  const cutter = new EventCutter(maxBytes)
  return async (chunk) => {
    if (chunk === undefined) return [cutter.end()]
    const { large, edges, pieces } = cutter.push(chunk)
    if (cutter.isBeyond && onLongEvent === undefined) throw tooLong()
    if (edges !== undefined) onLongEvent?.(edges)
    const first = large === undefined ? [] : [await inPlaceOf(large, options)]
    return [...first, ...pieces.flatMap((piece) => (eventsMayLose(piece) ? asWritten(piece, options) : [piece]))]
  }
}

const OTHER_EVENT = /^event:(?! ?message$)/m

/** What the reader gets for a large event; nothing where that was left out and answers nobody. */
async function inPlaceOf(event: readonly Buffer[], { onLargeAnswer, onLeftOut }: BodyCutOptions): Promise<Buffer> {
  const { others, data } = await inTurns(splitEvent(event))
  const taken = OTHER_EVENT.test(others)
    ? { instead: undefined, reason: whyLeftOut(data), edges: undefined }
    : await inTurns(takeLarge(data, onLargeAnswer))
  if (taken?.reason !== undefined) onLeftOut(taken.reason, taken.edges)
  if (taken?.instead !== undefined) return Buffer.from(`${others}data: ${taken.instead}\n\n`)
  // In one piece: a parser that gets it in many looks through its beginning again with each.
  return taken?.reason === undefined ? Buffer.concat(event) : Buffer.alloc(0)
}

/** As `mayLose`, for events: no text of JSON goes on behind the end of a line there. */
function eventsMayLose(piece: Buffer): boolean {
  return piece
    .toString('latin1')
    .split(/[\r\n]/)
    .some((line) => line.startsWith('data:') && mayLoseDigits(line))
}

/** Whether numbers would come out otherwise if the JSON were read and written anew. */
function mayLose(parts: readonly Buffer[]): boolean {
  const [only] = parts
  return mayLoseDigits((parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)).toString('latin1'))
}

/** The events of a piece, of which those with such numbers are handed over as large ones are. */
function asWritten(piece: Buffer, options: BodyCutOptions): readonly Piece[] {
  return eachEvent(piece).map((event) => (eventsMayLose(event) ? () => inPlaceOf([event], options) : event))
}
