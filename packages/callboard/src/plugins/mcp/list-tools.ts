/** Reads a server's whole list of tools, page by page, with a guard against lists that never end. */
import { CallboardError, messageOf, UpstreamError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { encodedFields } from '../encoded-result.ts'
import { inTurns } from '../in-turns.ts'
import { readInSteps } from '../read-in-steps.ts'
import type { McpConnection } from './mcp-connection.ts'
import { type JsonObject, MAX_MESSAGE_BYTES } from './messages.ts'

/** With pages of ten that is still ten thousand tools. */
const MAX_PAGES = 1_000
const MAX_TOOLS = 100_000
/** Half of what one page alone may have: the list is kept. */
const MAX_CHARACTERS = MAX_MESSAGE_BYTES / 2

export interface ListedTools {
  /** The entries as they were listed, whatever they are. */
  readonly entries: readonly unknown[]
  /** Why the list is not whole; undefined when it is. */
  readonly incomplete: string | undefined
}

/**
 * `page` answers one `tools/list`, which may be one of `encodedResult` and is read a little at a time then. A first page
 * that fails fails the whole; later on what is known is more than nothing, so the list comes back as far as it went,
 * with the reason.
 */
export async function listTools(
  page: (cursor: string | undefined) => Promise<JsonObject>,
  signal?: AbortSignal,
): Promise<ListedTools> {
  const entries: unknown[] = []
  const seen = new Set<string>()
  let characters = 0
  for (let number = 1, cursor: string | undefined; ; number++) {
    let listed: Page
    try {
      listed = await readPage(await page(cursor), signal)
    } catch (error) {
      if (number === 1) throw error
      return { entries, incomplete: `page ${number} of its list of tools failed: ${messageOf(error)}` }
    }
    const { tools, nextCursor, characters: own } = listed
    if (!Array.isArray(tools)) {
      const incomplete = `page ${number} of its list of tools has no "tools"`
      return { entries, incomplete }
    }
    for (const entry of tools) entries.push(entry)
    // What one message may hold alone is bounded already.
    if (number > 1 || nextCursor !== undefined) characters += own ?? sizeOf(tools, MAX_CHARACTERS - characters)
    // An empty cursor is a valid one; only the absence of any ends the list.
    if (typeof nextCursor !== 'string') return { entries, incomplete: undefined }
    if (seen.has(nextCursor))
      return {
        entries,
        incomplete: `its list of tools repeats the cursor ${JSON.stringify(nextCursor)} on page ${number}`,
      }
    if (number === MAX_PAGES)
      return { entries, incomplete: `its list of tools goes on after ${MAX_PAGES} pages; the rest is not read` }
    if (entries.length >= MAX_TOOLS || characters >= MAX_CHARACTERS)
      return {
        entries,
        incomplete: `its list of tools is too long and goes on after page ${number}; the rest is not read`,
      }
    seen.add(nextCursor)
    cursor = nextCursor
  }
}

interface Page {
  readonly tools?: unknown
  readonly nextCursor?: unknown
  /** How many the tools have as JSON, where they came so. */
  readonly characters?: number
}

async function readPage(result: JsonObject, signal: AbortSignal | undefined): Promise<Page> {
  const fields = encodedFields(result)
  if (fields === undefined) return result
  const [tools, nextCursor] = ['tools', 'nextCursor'].map((field) => fields.get(field))
  return {
    tools: tools && (await inTurns(readInSteps(tools), signal)),
    nextCursor: nextCursor && (await inTurns(readInSteps(nextCursor), signal)),
    characters: tools?.reduce((sum, { length }) => sum + length, 0) ?? 0,
  }
}

/** About how many characters the value has as JSON, however deep it is; counts no further than `enough`. */
function sizeOf(value: unknown, enough: number): number {
  const left: unknown[] = [value]
  let size = 0
  while (left.length > 0 && size < enough) {
    const part = left.pop()
    size += typeof part === 'string' ? part.length + 3 : 5
    if (Array.isArray(part)) for (const item of part) left.push(item)
    else if (isObject(part))
      for (const [key, item] of Object.entries(part)) {
        size += key.length + 3
        left.push(item)
      }
  }
  return size
}

/**
 * Lists the tools of a server that is connected. Throws `CallboardError` with the reason, or what the connection
 * throws.
 */
export async function listToolsOf(connection: McpConnection, signal: AbortSignal): Promise<ListedTools> {
  if (!connection.offersTools) return { entries: [], incomplete: undefined }
  try {
    const listed = await listTools((cursor) => {
      const params = cursor === undefined ? {} : { cursor }
      return connection.request({ method: 'tools/list', params, signal, takesEncoded: true })
    }, signal)
    signal.throwIfAborted()
    return listed
  } catch (error) {
    if (signal.aborted) throw new CallboardError('timeout', `${messageOf(signal.reason)}; it did not list its tools`)
    if (error instanceof UpstreamError)
      throw new CallboardError('unavailable', `it refused to list its tools: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * The entries now, and behind them the known ones whose names are not among them: an incomplete list takes nothing
 * away.
 */
export function withKnown(entries: readonly unknown[], known: readonly JsonObject[]): readonly unknown[] {
  const names = new Set(entries.map((entry) => (isObject(entry) ? entry.name : undefined)))
  return [...entries, ...known.filter(({ name }) => !names.has(name))]
}
