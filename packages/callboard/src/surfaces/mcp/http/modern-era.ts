/** Serves clients of 2026-07-28, whose requests stand alone, through the SDK's own handler. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { HttpContext } from './context.ts'
import { REFUSED, refuse, replyText } from './reply.ts'

/** One POST of this era, past the guards, with its body parsed. */
export interface ModernCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly user: string
  readonly body: unknown
}

/** Changes come in bursts when servers start; subscribers are told once of each. */
const QUIET_MS = 100

export class ModernEra {
  readonly #context: HttpContext
  readonly #handler: McpHttpHandler
  #notice: NodeJS.Timeout | undefined

  constructor(context: HttpContext) {
    this.#context = context
    const { createServer, limits, log } = context
    this.#handler = createMcpHandler(
      ({ authInfo }) => createServer({ user: authInfo?.clientId ?? '', era: 'modern' }),
      {
        legacy: 'reject',
        keepAliveMs: limits.keepAliveMs,
        onerror: (error) => log.debug({ err: error }, 'a modern request was not served'),
      },
    )
  }

  async post({ request, response, user, body }: ModernCall): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const answer = await this.#handler.fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(request), signal: gone.signal }),
      { parsedBody: body, authInfo: { token: '', clientId: user, scopes: [] } },
    )
    await this.#relay(answer, response)
  }

  /** Tells every subscription that asked for it that the list of tools is another. */
  toolsChanged(): void {
    if (this.#notice !== undefined) return
    this.#notice = setTimeout(() => {
      this.#notice = undefined
      this.#handler.notify.toolsChanged()
    }, QUIET_MS)
    this.#notice.unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#notice)
    await this.#handler.close()
  }

  async #relay(answer: Response, response: ServerResponse): Promise<void> {
    const { stallMs, backlogBytes } = this.#context.limits
    if (answer.status === 499) {
      refuse(response, { status: 503, code: REFUSED, message: 'the callboard is closing' }, stallMs)
      return
    }
    const type = answer.headers.get('content-type')
    if (answer.body === null || type !== 'text/event-stream') {
      replyText(response, await answer.text(), { status: answer.status, type: type ?? 'application/json', stallMs })
      return
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body) {
      if (response.destroyed) break
      if (response.writableLength > backlogBytes) response.destroy()
      else response.write(chunk)
    }
    response.end()
  }
}

function headersOf(request: IncomingMessage): [string, string][] {
  return Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}
