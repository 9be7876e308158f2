/** The context as an action gets it: what the action says on the way is data that can be sent. */
import { plainJson } from './plain-json.ts'
import { textOfThrown } from './text-of-thrown.ts'
import type { ToolContext, ToolLogMethod } from './tool-action.ts'
import type { Progress } from './tool-result.ts'

/**
 * The same context; its `progress` throws a TypeError for a step that is none, and its log takes fields of any kind.
 */
export function guardedContext(context: ToolContext): ToolContext {
  const { log, progress } = context
  const write =
    (method: ToolLogMethod): ToolLogMethod =>
    (message, fields = {}) =>
      method(String(message), loggable(fields))
  return {
    ...context,
    log: { debug: write(log.debug), info: write(log.info), warn: write(log.warn), error: write(log.error) },
    progress: (step) => progress(checkedStep(step)),
  }
}

function checkedStep({ progress, total, message, isPiece }: Progress): Progress {
  if (!Number.isFinite(progress) || (total !== undefined && !Number.isFinite(total)))
    throw new TypeError(`progress() takes numbers, not { progress: ${progress}, total: ${total} }`)
  if (message !== undefined && typeof message !== 'string') throw new TypeError('the `message` of progress() is a text')
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message }),
    ...(isPiece === true && { isPiece }),
  }
}

/** A message must not be lost for what stands beside it, such as an error. */
function loggable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      try {
        return [name, value === undefined ? null : plainJson(value)]
      } catch {
        return [name, textOfThrown(value)]
      }
    }),
  )
}
