/** What an action of a local plugin is given of its call. */
import type { ToolContext, ToolLogMethod } from '@callboard/sdk'
import { isSeriousEnough, type LogLevel } from '../log-messages.ts'
import type { PluginHost, ToolCall } from '../plugin.ts'
import { inHostCode, inPluginCode } from './plugin-code.ts'

/** The levels of a tool's log, as the host's log and as MCP call them. */
const LEVELS = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const satisfies Record<
  keyof ToolContext['log'],
  LogLevel
>

/** The context of one call. `signal` is aborted when the call is over, for whatever reason. */
export function toolContext(call: ToolCall, host: PluginHost, signal: AbortSignal): ToolContext {
  const { user, catalog, meta = {}, onProgress } = call
  const write = (level: keyof typeof LEVELS): ToolLogMethod => {
    return (message, fields = {}) => inHostCode(() => writeLog({ call, host }, { level, message, fields }))
  }
  return {
    user,
    signal,
    catalog,
    meta,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    progress: (step) => inHostCode(() => onProgress?.(step)),
    // The promise is made in the plugin's name, so that one that it does not watch is its own stray and not the host's.
    call: (name, args = {}, options = {}) =>
      inPluginCode(call.definition.package, async () => {
        return await inHostCode(() => host.call({ ...call, signal }, name, args, options))
      }),
  }
}

interface Message {
  readonly level: keyof typeof LEVELS
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

function writeLog(
  { call, host }: { readonly call: ToolCall; readonly host: PluginHost },
  { level, message, fields }: Message,
): void {
  const { definition, log } = call
  const more = Object.keys(fields).length > 0
  if (log !== undefined && isSeriousEnough(LEVELS[level], log.level))
    log.write({ level: LEVELS[level], logger: definition.package, data: more ? { message, ...fields } : message })
  else host.log[level]({ tool: definition.name, ...(more && { fields }) }, message)
}
