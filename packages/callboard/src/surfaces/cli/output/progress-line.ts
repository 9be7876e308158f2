/** Shows the progress of a call: one line on standard error that is written over, on a terminal only. */
import type { Progress } from '../../../plugins/plugin.ts'
import { oneLine } from './plain-text.ts'
import type { Output } from './terminal.ts'

/** Goes to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K'

/** `37% reading`, or `12 reading` where the total is not known. */
function describe({ progress, total, message }: Progress): string {
  const amount = total !== undefined && total > 0 ? `${Math.floor((progress / total) * 100)}%` : `${progress}`
  return oneLine(`${amount} ${message ?? ''}`)
}

/** Writes progress until it is disposed, which clears the line. */
export interface ProgressLine extends Disposable {
  /** Undefined where nobody watches, so that no progress is asked for. */
  readonly onProgress: ((progress: Progress) => void) | undefined
}

export function createProgressLine(stderr: Output, redact: (text: string) => string): ProgressLine {
  if (!stderr.isTerminal) return { onProgress: undefined, [Symbol.dispose]: () => undefined }
  let shown = false
  return {
    onProgress: (progress) => {
      shown = true
      stderr.write(`${CLEAR}${redact(describe(progress)).slice(0, stderr.width - 1)}`)
    },
    [Symbol.dispose]: () => {
      if (shown) stderr.write(CLEAR)
      shown = false
    },
  }
}
