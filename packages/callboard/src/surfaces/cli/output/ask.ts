/** Asks the person at the terminal. */
import { createInterface } from 'node:readline/promises'
import type { ReadStream, WriteStream } from 'node:tty'

/** Resolves with the line that the person typed, '' when there is none. Rejects with the signal's reason. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>

/** The way to ask, if a person reads standard error and types on standard input. */
export function createAsk({
  stdin,
  stderr,
}: {
  readonly stdin: ReadStream
  readonly stderr: WriteStream
}): Ask | undefined {
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  return async (question, signal) => {
    // The terminal's own editing of a line is enough, and Ctrl-C stays the signal that it is.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false })
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    try {
      return await Promise.race([lines.question(question, { signal }), ended])
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      lines.close()
    }
  }
}
