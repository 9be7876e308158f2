/** Runs a tool of the host, for a call that the host made. */
import type { ToolContext } from '../../tool-action.ts'
import type { ToolResult } from '../../tool-result.ts'
import type { Asker } from '../protocol/asker.ts'
import type { ReceivedResponse } from '../protocol/messages.ts'
import { objectIn } from './json-object.ts'

export interface CallBackOptions {
  readonly asker: Asker
  /** The call for which it is done. */
  readonly parentId: string
  readonly signal: AbortSignal
  /** Where the call wants progress: takes that of the tool. */
  readonly tell: ToolContext['progress'] | undefined
}

/** `ToolContext.call` over the wire. */
export function callBack({ asker, parentId, signal, tell }: CallBackOptions): ToolContext['call'] {
  return async (name, args = {}, { provider = '' } = {}) => {
    const value = {
      toolName: name,
      argumentsJson: Buffer.from(JSON.stringify(args)),
      provider,
      wantsProgress: tell !== undefined,
      parentRequestId: parentId,
    }
    const onPart = (part: ReceivedResponse): void => {
      if (part.case !== 'progress') return
      const { progress, total, message } = part.value
      tell?.({ progress, ...(total !== undefined && { total }), ...(message !== '' && { message }) })
    }
    return resultOf(name, await asker.ask({ case: 'toolCall', value }, { signal, onPart }))
  }
}

function resultOf(name: string, answer: ReceivedResponse): ToolResult {
  if (answer.case === 'fault') throw new Error(answer.value.message)
  if (answer.case !== 'toolCall')
    throw new Error(`the host answered the call of ${JSON.stringify(name)} with ${answer.case ?? 'nothing known'}`)
  const { resultJson, errorMessage } = answer.value
  const { content, ...rest } = objectIn(resultJson, 'the parts of a result')
  if (Array.isArray(content)) return { ...rest, content }
  throw new Error(errorMessage || `the host answered the call of ${JSON.stringify(name)} without a result`)
}
