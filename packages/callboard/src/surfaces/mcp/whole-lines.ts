/** Turns a stream of bytes into a stream of whole lines, in time that grows with their length and no faster. */
import { Transform } from 'node:stream'

const NEWLINE = 0x0a

/**
 * Each chunk that comes out ends with a newline; what has none at the end is lost. A line of which more
 * than `max` bytes have come without an end is left out, and `onLong` is told at once.
 */
export function wholeLines(max: number, onLong: () => void): Transform {
  let pieces: Buffer[] = []
  let size = 0
  let isLong = false
  return new Transform({
    transform: (given: Buffer, _encoding, done) => {
      let chunk = given
      if (isLong) {
        const rest = chunk.indexOf(NEWLINE) + 1
        if (rest === 0) return done()
        isLong = false
        chunk = chunk.subarray(rest)
      }
      const end = chunk.lastIndexOf(NEWLINE) + 1
      const lines = end > 0 ? Buffer.concat([...pieces, chunk.subarray(0, end)]) : undefined
      if (lines) {
        pieces = []
        size = 0
      }
      pieces.push(chunk.subarray(end))
      size += chunk.length - end
      if (size > max) {
        pieces = []
        size = 0
        isLong = true
        onLong()
      }
      done(null, lines)
    },
  })
}
