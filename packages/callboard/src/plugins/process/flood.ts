/** Finds what of a flood of lines has to be looked at one by one: its beginning, and its end, where last words stand. */
import { saysWhy } from './says-why.ts'

const NEWLINE = 0x0a
const SPACE = 0x20
/** Of the end of a flood no more lines than that are looked at. */
const MOST_LAST = 200
/** What a line is goes by its beginning. */
const MAX_LOOKED_AT = 300

/** The lines of a chunk between two places, the last one not included. */
export interface Flood {
  readonly from: number
  readonly to: number
}

/** How many lines of a chunk are wanted. */
interface Wanted {
  /** At its beginning, behind the line that is begun already, without the blank ones. */
  readonly first: number
  /** At its end, of those that say why a program ended. */
  readonly last: number
}

/** The whole lines that are not wanted; undefined when there are none. */
export function findFlood(chunk: Buffer, { first, last }: Wanted): Flood | undefined {
  let from = chunk.indexOf(NEWLINE) + 1
  for (let lines = 0; from > 0 && lines < first; ) {
    const to = chunk.indexOf(NEWLINE, from) + 1
    lines += linesIn(chunk, { from, to })
    from = to
  }
  if (from === 0) return undefined
  const to = beginningOfLast(chunk, last)
  return to > from ? { from, to } : undefined
}

/** How many lines those are, without the blank ones. */
export function linesIn(chunk: Buffer, { from, to }: Flood): number {
  let lines = 0
  let isBlank = true
  for (let index = from; index < to; index++) {
    const byte = chunk[index] ?? 0
    if (byte > SPACE) isBlank = false
    if (byte !== NEWLINE) continue
    if (!isBlank) lines += 1
    isBlank = true
  }
  return lines
}

/** Where the last lines begin of which so many say why. */
function beginningOfLast(chunk: Buffer, wanted: number): number {
  let from = chunk.lastIndexOf(NEWLINE) + 1
  for (let line = 0, found = 0; from > 0 && line < MOST_LAST && found < wanted; line++) {
    const end = from - 1
    from = end === 0 ? 0 : chunk.lastIndexOf(NEWLINE, end - 1) + 1
    if (saysWhy(chunk.toString('utf8', from, Math.min(end, from + MAX_LOOKED_AT)))) found += 1
  }
  return from
}
