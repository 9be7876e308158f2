/** The results that an action can answer with. */
import { type Json, plainJson } from './plain-json.ts'
import type { ToolResult } from './tool-result.ts'

/** A text. */
export function text(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

/**
 * Data: as `structuredContent` for programs, and as JSON text for models. Throws for what has no form in JSON, and says
 * where in the value it stands.
 */
export function json(value: unknown): ToolResult {
  return jsonOf(plainJson(value))
}

/** The same of what is plain data already; it is not copied. */
export function jsonOf(data: Json): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** An image: its bytes, or those as base64, and its type, such as `image/png`. */
export function image(data: Uint8Array | string, mimeType: string): ToolResult {
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return { content: [{ type: 'image', data: base64, mimeType }] }
}

/** Something that can be read elsewhere. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

/** A link to something that the caller may read. */
export function resourceLink(resource: Resource): ToolResult {
  return { content: [{ type: 'resource_link', ...resource }] }
}

/**
 * The answer of a tool that can't do what it was asked, in words from which a model can go on: what is missing, what
 * would work. Throw instead where the tool itself is broken.
 */
export function error(message: string): ToolResult {
  return { ...text(message), isError: true }
}
