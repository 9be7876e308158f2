/** Pages of `tools/list` as bytes, each put into the form of its era once, by the SDK, and then kept. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
  type Result,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { CallboardError } from '../../errors.ts'
import { encodedResult } from '../../plugins/encoded-result.ts'
import { bareServer, SERVER_INFO } from './bare-server.ts'
import type { ListedTools } from './listed-tools.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { type PagePart, pageParts, pageStart, toolsPage } from './tools-page.ts'

type Era = McpServerOptions['era']

/** Enough for ten thousand tools of the usual size in both eras. */
const MOST_BYTES = 64 * 1024 * 1024

const MODERN_VERSION = '2026-07-28'
const LIST_REQUEST = { jsonrpc: '2.0', id: 0, method: 'tools/list' } as const
const REQUESTS = {
  legacy: { headers: {}, body: LIST_REQUEST },
  modern: {
    headers: { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': LIST_REQUEST.method },
    body: {
      ...LIST_REQUEST,
      params: {
        _meta: {
          [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
          [CLIENT_INFO_META_KEY]: SERVER_INFO,
          [CLIENT_CAPABILITIES_META_KEY]: {},
        },
      },
    },
  },
} as const satisfies Record<Era, unknown>

/**
 * Of two lists the pages that show the same are one: a change of a plugin makes another list for everybody, and another
 * page only where its tools stand.
 */
export class EncodedPages {
  readonly #pages = new LRUCache<string, Page>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes + 1 })
  /** What the pages of a list show, by the place where they begin. */
  readonly #shown = new WeakMap<ListedTools, Map<number, string>>()
  readonly #numbers = new WeakMap<CatalogTool, number>()
  #numbered = 0

  /** The result at `cursor`, all of its fields as bytes. Throws -32602 for a cursor that this server did not give. */
  async page(listed: ListedTools, era: Era, cursor: string | undefined): Promise<Result> {
    const start = pageStart(listed, cursor)
    const key = `${era} ${this.#shownAt(listed, start)}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept.result
    const page = pageOf(await encode(toolsPage(listed, start, era), era))
    this.#pages.set(key, page)
    return page.result
  }

  /** A text that is the same for pages that show the same. */
  #shownAt(listed: ListedTools, start: number): string {
    const known = this.#shown.get(listed) ?? new Map<number, string>()
    this.#shown.set(listed, known)
    const shown =
      known.get(start) ??
      pageParts(listed, start)
        .map((part) => this.#textOf(part))
        .join(' ')
    known.set(start, shown)
    return shown
  }

  #textOf(part: PagePart): string {
    if (typeof part !== 'object') return JSON.stringify(part)
    const number = this.#numbers.get(part) ?? ++this.#numbered
    this.#numbers.set(part, number)
    return String(number)
  }
}

interface Page {
  readonly result: Result
  readonly bytes: number
}

function pageOf(result: Result): Page {
  // Not `Buffer.from`, of which a few bytes would keep many times as much alive that they share their memory with.
  const fields = Object.entries(result).map(([key, value]) => [key, encoder.encode(JSON.stringify(value))] as const)
  return {
    result: encodedResult(new Map(fields.map(([key, json]) => [key, [json]])), {}),
    bytes: fields.reduce((bytes, [, json]) => bytes + json.length, 0),
  }
}

/** The result as the SDK gives it to a client of the era, which differs in more than is worth knowing twice. */
async function encode(page: ReturnType<typeof toolsPage>, era: Era): Promise<Result> {
  const handler = createMcpHandler(() => {
    const server = bareServer()
    server.setRequestHandler(LIST_REQUEST.method, { params: z.looseObject({}) }, () => page)
    return server
  })
  try {
    const { headers, body } = REQUESTS[era]
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
    const response = await handler.fetch(request, { parsedBody: body })
    return resultIn(await response.text())
  } finally {
    await handler.close()
  }
}

/** The result in an answer that is JSON, or one event of a stream. */
function resultIn(text: string): Result {
  // JSON has no line end in it, but other characters at which a regular expression ends a line.
  const data = text.split('\n').find((line) => line.startsWith(EVENT_DATA))
  const answer: { result?: Result } = JSON.parse(data === undefined ? text : data.slice(EVENT_DATA.length))
  if (answer.result !== undefined) return answer.result
  throw new CallboardError('internal', `the list of tools could not be put into the form of its era: ${text}`)
}

const encoder = new TextEncoder()
const EVENT_DATA = 'data: '
