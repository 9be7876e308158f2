/** Writes what a person should know, but what does not stop a command. */
import { oneLine } from './plain-text.ts'
import type { Output } from './terminal.ts'

/** How a warning is written. */
export interface WarningOptions {
  readonly json: boolean
  /** Replaces the secrets that are known by now. */
  readonly redact: (text: string) => string
}

export function writeWarning(stderr: Output, message: string, { json, redact }: WarningOptions): void {
  const text = json
    ? JSON.stringify({ warning: { message } })
    : `${stderr.style('yellow', 'warning:')} ${oneLine(message)}`
  stderr.write(`${redact(text)}\n`)
}
