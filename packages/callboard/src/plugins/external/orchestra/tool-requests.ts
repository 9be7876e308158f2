/** The two ways in which the existing protocol runs a tool: for one answer, and for one in pieces. */
import type { Asker } from '@callboard/sdk/external'
import { CallboardError } from '../../../errors.ts'
import type { ToolCall, ToolResult } from '../../plugin.ts'
import { CallParts } from '../call-parts.ts'
import { failureText, toFailure, toStruct, toToolResult } from './tool-values.ts'

/** The code by which a plugin says that nothing ran, because it has no such tool. */
export const NOT_FOUND = 'tool_not_found'

/** How long a plugin may take to hear that a stream is not wanted any more. */
const CANCEL_MS = 1_000

/** What became of a request. */
export interface ToolEnd {
  readonly result: ToolResult
  /** Of the plugin's, empty where the tool did what it was asked. */
  readonly code: string
}

export interface ToolAsking {
  readonly asker: Asker
  readonly call: ToolCall
  readonly requestId: string
}

/** Throws what asking throws, and `tool_failed` for an answer that is none. */
export async function askTool({ asker, call, requestId }: ToolAsking): Promise<ToolEnd> {
  const { definition, arguments: args, provider = '', signal } = call
  const value = { toolName: definition.name, arguments: toStruct(args), provider }
  const answer = await asker.ask({ case: 'toolCall', value }, { signal, requestId })
  if (answer.case !== 'toolCall') throw noResult(answer.case)
  const { success, result, errorCode, errorMessage } = answer.value
  if (success) return { result: toToolResult(result), code: '' }
  const message = failureText(errorMessage, errorCode)
  return { result: toFailure(message), code: errorCode }
}

/** The pieces are told as they come, and together are the result. */
export async function startStream({ asker, call, requestId }: ToolAsking): Promise<ToolEnd> {
  const { definition, arguments: args, signal } = call
  const parts = new CallParts(call)
  const value = { streamId: requestId, toolName: definition.name, arguments: toStruct(args) }
  try {
    const answer = await asker.ask(
      { case: 'streamStart', value },
      { signal, requestId, onPart: (part) => parts.take(part) },
    )
    // Whoever answers in pieces never does so with a failed call: it does not know what it was asked.
    const isUnknown = answer.case === 'toolCall' && !answer.value.success
    if (answer.case !== 'streamEnd' && !isUnknown) throw noResult(answer.case)
    const { success, errorCode, errorMessage } = answer.value
    if (success) return { result: { content: [{ type: 'text', text: parts.text }] }, code: '' }
    const message = failureText(errorMessage, errorCode)
    return { result: toFailure(message, parts.text), code: isUnknown ? NOT_FOUND : errorCode }
  } catch (error) {
    // A plugin may see only by this that its stream is cut off. It has no answer.
    if (signal.aborted)
      void asker
        .ask({ case: 'streamCancel', value: { streamId: requestId } }, { signal: AbortSignal.timeout(CANCEL_MS) })
        .catch(() => {})
    throw error
  }
}

function noResult(name: string | undefined): CallboardError {
  return new CallboardError(
    'tool_failed',
    `it answered with ${name ?? 'nothing known'} where the result of a call is expected`,
  )
}
