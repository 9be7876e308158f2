/** Turns a stream of bytes into a stream of whole lines, in time that grows with their length and no faster. */
import { Transform } from 'node:stream'

const NEWLINE = 0x0a

/**
 * Each chunk that comes out ends with a newline; what has none at the end is lost. A line of more than `max` bytes
 * destroys the stream with an error that says so.
 */
export function wholeLines(max: number): Transform {
  let pieces: Buffer[] = []
  let size = 0
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const end = chunk.lastIndexOf(NEWLINE) + 1
      const lines = end > 0 ? Buffer.concat([...pieces, chunk.subarray(0, end)]) : undefined
      if (lines) {
        pieces = []
        size = 0
      }
      pieces.push(chunk.subarray(end))
      size += chunk.length - end
      if (size > max) done(new Error(`a message is longer than ${max} bytes; send less at once`))
      else done(null, lines)
    },
  })
}
