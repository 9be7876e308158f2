/**
 * What becomes of the process's own outputs when they can't be written: a reader that has gone, a disk that is full.
 */
import type { Writable } from 'node:stream'

/** How long a reader may take for what still waits when nobody waits for the reader any more, in milliseconds. */
const LAST_WORDS_MS = 1_000

type Output = Writable & { readonly isTTY?: boolean }

interface Outputs {
  readonly stdout: Output
  readonly stderr: Output
}

export interface OutputWatch {
  /** Whether something could not be written, for another reason than that nobody reads any more. */
  readonly failed: boolean
  /** Resolves when everything was written or can't be; with `hasty` after a second at the latest. */
  flush(hasty: boolean): Promise<void>
}

export interface WatchOptions {
  readonly json: boolean
  /**
   * Nobody reads standard output any more (`callboard list | head -1`): there is nothing left to do, and nobody to
   * tell.
   */
  readonly onReaderGone: () => void
}

/**
 * Listens to both for good, since an error that nobody hears ends the process. What fails first is said on the other
 * one, once.
 */
export function watchOutputs(outputs: Outputs, { json, onReaderGone }: WatchOptions): OutputWatch {
  const failed = new Set<Writable>()
  const watch = (stream: Output, name: string, other: Output): void => {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Of a terminal EIO says that it is gone; of a file, that the disk is broken.
      if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY === true)) {
        if (stream === outputs.stdout) onReaderGone()
        return
      }
      const isNews = failed.size === 0
      failed.add(stream)
      if (!isNews) return
      const message = `${name} can't be written: ${error.message}; what was to stand there is lost`
      other.write(json ? `${JSON.stringify({ warning: { message } })}\n` : `callboard: ${message}\n`)
    })
  }
  watch(outputs.stdout, 'standard output', outputs.stderr)
  watch(outputs.stderr, 'standard error', outputs.stdout)
  return {
    get failed() {
      return failed.size > 0
    },
    flush: async (hasty) => {
      const flushed = Promise.all([outputs.stdout, outputs.stderr].map(flush))
      if (!hasty) await flushed
      else await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))])
    },
  }
}

function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // A full disk does not take even an empty text, and a failure that lost nothing is none.
    if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve)
    else stream.write('', () => resolve())
  })
}
