/** Tools' arguments and results, between MCP and the existing protocol, which has a `Struct` for both. */
import type { RequestBody, ResponseBody } from '@callboard/sdk/external'
import { isObject } from '../../../is-object.ts'
import type { ToolResult } from '../../plugin.ts'

/** Any JSON object. Its numbers travel as doubles, which is what they are here anyway. */
export type Struct = NonNullable<Extract<RequestBody, { case: 'toolCall' }>['value']['arguments']>

type ToolAnswer = Extract<ResponseBody, { case: 'toolCall' }>['value']

/** The object as JSON has it: without what JSON has no form for. */
export function toStruct(value: Readonly<Record<string, unknown>>): Struct {
  const struct: Struct = JSON.parse(JSON.stringify(value))
  return struct
}

/**
 * The result of a tool that ran. Nearly all answer with `text` alone; whoever answers with more means it as structured.
 */
export function toToolResult(result: Readonly<Record<string, unknown>> = {}): ToolResult {
  const { text, ...more } = result
  const isMore = Object.keys(more).length > 0
  const shown = typeof text === 'string' ? text : Object.keys(result).length === 0 ? '' : JSON.stringify(result)
  return { content: [{ type: 'text', text: shown }], ...(isMore && { structuredContent: result }) }
}

/** What a plugin says of a failure, in words. */
export function failureText(message: string, code: string): string {
  return message || `tool error: ${code || 'without a code'}`
}

/** The result of a tool that says that it can't do what it was asked, with what it had answered `before`. */
export function toFailure(words: string, before = ''): ToolResult {
  const texts = [before, words].filter((text) => text !== '')
  return { content: texts.map((text) => ({ type: 'text', text })), isError: true }
}

/**
 * What a plugin is told of the result of another tool: its text, its structure, and its blocks where one is no text.
 */
export function toToolAnswer({ content, structuredContent, isError }: ToolResult): ToolAnswer {
  const texts = content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
  const text = texts.join('\n')
  if (isError === true) return { success: false, errorCode: 'tool_error', errorMessage: text }
  const result = {
    ...(isObject(structuredContent) && structuredContent),
    text,
    ...(texts.length < content.length && { content }),
  }
  return { success: true, result: toStruct(result) }
}
