/** The host's log: structured lines on stderr (stdout belongs to the protocol), with every known secret replaced. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Secrets } from './secrets.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** Writes to `destination` (stderr when absent), one JSON object a line. */
export function createLog(secrets: Secrets, level: string, destination: DestinationStream = process.stderr): Log {
  return pino({ level, base: null }, { write: (line: string) => destination.write(secrets.redact(line)) })
}
