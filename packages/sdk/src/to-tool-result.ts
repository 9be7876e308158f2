/** Makes a tool result of whatever an action answered. */
import { type Json, NotJsonError, plainJson } from './plain-json.ts'
import { jsonOf, text } from './results.ts'
import type { ToolResult } from './tool-result.ts'

/**
 * The fields without which a client refuses a block, and with it the whole result. Blocks of other types are passed on.
 */
const NEEDED_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
])

type Fields = { readonly [name: string]: Json }

/**
 * The result that the answer stands for, by the rules of `ToolAction`; a copy. Throws `NotJsonError`, in words about
 * the answer, where it stands for none.
 */
export function toToolResult(answer: unknown): ToolResult {
  if (answer === undefined || answer === null)
    throw new NotJsonError(`it is ${answer}; answer with a text, with data, or with text('done')`)
  if (typeof answer !== 'object') return text(String(plainJson(answer)))
  const data = plainJson(answer)
  if (!isFields(data) || !Array.isArray(data.content)) return jsonOf(data)
  return checked(data, data.content)
}

function checked(result: Fields, content: readonly Json[]): ToolResult {
  const { isError, _meta, ...rest } = result
  if (isError !== undefined && typeof isError !== 'boolean') throw new NotJsonError('isError: expected true or false')
  if (_meta !== undefined && !isFields(_meta)) throw new NotJsonError('_meta: expected an object')
  return {
    ...rest,
    content: content.map(checkedBlock),
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta }),
  }
}

function checkedBlock(block: Json, index: number): Fields {
  const at = `content[${index}]`
  if (!isFields(block) || typeof block.type !== 'string')
    throw new NotJsonError(`${at}: expected a block with a "type"; to answer with data of such a shape, use json()`)
  for (const field of NEEDED_FIELDS.get(block.type) ?? [])
    if (typeof block[field] !== 'string')
      throw new NotJsonError(`${at}.${field}: expected a text in a block of type ${block.type}`)
  return block
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
