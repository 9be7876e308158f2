/** The host's log: structured lines on stderr (stdout belongs to the protocol), with every known secret replaced. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Secrets } from './secrets.ts'

/** What the host writes to, such as a logger of pino; `createLog` makes one that hides secrets. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'isLevelEnabled'>

/** How much may wait for a reader who does not read, in bytes; lines beyond it are left out. */
const MOST_WAITING = 1024 * 1024

/** Where the log goes; `writableLength` is what waits there, where that is known. */
interface LogDestination extends DestinationStream {
  readonly writableLength?: number
}

/**
 * Writes what is of this level or above (a level of pino, `silent` for none) to `destination` (stderr when absent), one
 * JSON object a line, with every secret replaced. What nobody reads is left out, and counted once somebody does.
 */
export function createLog(secrets: Secrets, level: string, destination: LogDestination = process.stderr): Log {
  let dropped = 0
  const write = (line: string): void => {
    if ((destination.writableLength ?? 0) > MOST_WAITING) {
      dropped += 1
      return
    }
    const gap = dropped
    dropped = 0
    if (gap > 0) log.warn({ dropped: gap }, 'lines of the log were left out, because nobody read them')
    destination.write(secrets.redact(line))
  }
  const log = pino({ level, base: null }, { write })
  return log
}
