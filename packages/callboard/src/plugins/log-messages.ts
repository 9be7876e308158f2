/** Log messages that a tool's server sends in the course of a call, as MCP has them. */

/** From the least to the most serious (RFC 5424, as MCP has it). */
const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

interface LogMessage {
  readonly level: LogLevel
  /** Which part of the server speaks. */
  readonly logger?: string
  /** Any JSON. */
  readonly data: unknown
}

/** What a caller wants to hear of a call. */
export interface CallLog {
  /** Messages that are less serious than that are not for this caller. */
  readonly level: LogLevel
  write(message: LogMessage): void
}

/** Whether it is one of the eight levels. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value)
}

/** Whether a message of `level` is for a caller who wants to hear from `wanted` on. */
export function isSeriousEnough(level: LogLevel, wanted: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)
}
