/** Keeps stdout for one writer: a stray `console.log` in the process would break the protocol that is spoken there. */
import { Writable } from 'node:stream'

interface ReservedStdout {
  /** Writes to the real stdout. */
  readonly stdout: Writable
  /** Gives stdout back to everybody. */
  release(): void
}

/**
 * Sends everything that is written to `process.stdout` to stderr, until it is released; only `stdout` still writes
 * there.
 */
export function reserveStdout(): ReservedStdout {
  const original = process.stdout.write
  const write = original.bind(process.stdout)
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done)
    },
  })
  // `stdout` gives the error of a reader that has gone to whoever writes. The stream itself emits the same error,
  // perhaps after the release; unheard, it would end the process.
  process.stdout.on('error', () => undefined)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return {
    stdout,
    release: () => {
      process.stdout.write = original
    },
  }
}
