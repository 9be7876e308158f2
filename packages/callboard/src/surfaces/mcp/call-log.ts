/** Sends the log messages of a call to the client that made it. */
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server'
import { messageOf } from '../../errors.ts'
import { type CallLog, isLogLevel, type LogLevel } from '../../plugins/log-messages.ts'
import type { IncomingCall } from './incoming-call.ts'

/** For clients of 2025-11-25 and before that never said from which level on they want to hear. */
const USUAL_LEVEL: LogLevel = 'info'

/** Undefined where the client wants none: one of 2026-07-28 says so in each request. */
export function callLogTo({ host, options, ctx }: IncomingCall): CallLog | undefined {
  const level =
    options.era === 'legacy'
      ? (options.settings?.logLevel ?? USUAL_LEVEL)
      : (ctx.mcpReq.envelope?.[LOG_LEVEL_META_KEY] ?? ctx.mcpReq._meta?.[LOG_LEVEL_META_KEY])
  if (!isLogLevel(level)) return undefined
  return {
    level,
    write: ({ data, ...message }) => {
      const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null')
      const shown = host.secrets.redact(text)
      // Without a secret the data stay what they are; with one, their text is all that can be shown.
      const params = { ...message, data: shown === text ? data : shown }
      ctx.mcpReq
        .notify({ method: 'notifications/message', params })
        .catch((thrown: unknown) => host.log.debug({ err: messageOf(thrown) }, 'a log message was not delivered'))
    },
  }
}
