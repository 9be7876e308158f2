/** The line of the log for a call that has ended. */
import type { Log } from '../log.ts'
import type { CallRecord } from './call-record.ts'

/** Logs the record as information. When the call began is `began` there, since `time` is when the line was written. */
export function logCall(log: Log, record: CallRecord): void {
  if (!log.isLevelEnabled('info')) return
  const { time: began, ...rest } = record
  log.info({ began, ...rest }, 'call')
}
