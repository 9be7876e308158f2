/** What a client of 2025-11-25 and before has set for its session. */
import type { LogLevel } from '../../plugins/log-messages.ts'

/** Changed by the client's requests as they come. */
export interface SessionSettings {
  /** `logging/setLevel`; undefined until the client says so. */
  logLevel?: LogLevel
}
