/** Clients by hand that break off in the middle of a call: old ones come back for their answer or don't, new ones have cancelled by it. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { PATIENCE_MS, type SoakCall } from './tally.ts'
import type { VisitOptions } from './visitors.ts'

type Headers = Readonly<Record<string, string>>

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'
/** Connections that are broken off are of no more use, so none is kept. */
const agent = new Agent({ keepAlive: false })

/** Opens an old client's session and leaves it behind; answers the header that names it. */
export async function openSession(url: string): Promise<Headers> {
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'breaker', version: '1.0.0' } }
  const answer = await post(url, {}, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await text(answer)
  const id = answer.headers['mcp-session-id']
  if (typeof id !== 'string') throw new Error(`no session was opened: HTTP ${answer.statusCode}`)
  return { 'mcp-session-id': id, 'mcp-protocol-version': LEGACY }
}

/** Calls in sessions of its own, breaks off while each call runs, and comes back for three in four of the answers. */
export async function keepBreakingOff({ url, tools, tally, over }: VisitOptions): Promise<void> {
  while (!over.aborted) {
    const session = await openSession(url)
    for (let id = 1; id <= 10 && !over.aborted; id++) {
      const call = tally.next(tools)
      const events = new EventReader(await post(url, session, legacyCall(id, call)))
      // The first event is the first step, or the answer itself where that was quicker or there is none to come.
      const first = await events.next()
      if (first === undefined || first.message?.id === id) await settle(events, { id, call, seen: first })
      else await comeBack(events, first.id, { id, call })
      await pause(Math.random() * 50)
    }
    tally.happened('left without a word')
  }

  async function comeBack(events: EventReader, lastId: string, { id, call }: { id: number; call: SoakCall }) {
    events.breakOff()
    tally.happened('connections broken off')
    await pause(Math.random() * 600)
    if (Math.random() < 0.25) return tally.end('left')
    const again = await ask(url, 'GET', { ...(await sessionOf(events)), 'last-event-id': lastId })
    tally.happened('streams resumed')
    await settle(new EventReader(again), { id, call, seen: undefined })
  }

  /** The answer that is still to come, which has to come once. */
  async function settle(events: EventReader, { id, call, seen }: Waiting): Promise<void> {
    const answers = seen?.message?.id === id ? [seen.message] : []
    const late = setTimeout(() => events.breakOff(), PATIENCE_MS)
    for (let event = await events.next(); event !== undefined; event = await events.next())
      if (event.message?.id === id) answers.push(event.message)
    clearTimeout(late)
    const [answer] = answers
    if (answers.length > 1) tally.answeredTwice(`${call.token} on one stream`)
    if (answer === undefined) tally.lose(call)
    else tally.answer(call, answer.result)
  }
}

interface Waiting {
  readonly id: number
  readonly call: SoakCall
  readonly seen: ServerEvent | undefined
}

async function sessionOf({ answer }: EventReader): Promise<Headers> {
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']), 'mcp-protocol-version': LEGACY }
}

/** Calls without a session and breaks off while the call runs, which cancels it. */
export async function keepCancelling({ url, tools, tally, over }: VisitOptions): Promise<void> {
  for (let id = 1; !over.aborted; id++) {
    const call = tally.next(tools)
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': call.tool }
    const events = new EventReader(await post(url, headers, modernCall(id, call)))
    const first = await events.next()
    events.breakOff()
    if (first?.message?.id === id) tally.answer(call, first.message.result)
    else tally.end('cancelled')
    tally.happened('connections broken off')
    await pause(Math.random() * 100)
  }
}

function legacyCall(id: number, { token, tool }: SoakCall): object {
  const params = { name: tool, arguments: { token, ms: 500, steps: 5 }, _meta: { progressToken: id } }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

function modernCall(id: number, { token, tool }: SoakCall): object {
  const _meta = {
    progressToken: id,
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'breaker', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: tool, arguments: { token, ms: 500, steps: 5 }, _meta }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

function post(url: string, headers: Headers, message: object): Promise<IncomingMessage> {
  return ask(url, 'POST', { ...headers, 'content-type': 'application/json' }, JSON.stringify(message))
}

function ask(url: string, method: string, headers: Headers, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream'
    const request = httpRequest(url, { method, headers: { accept, ...headers }, agent }, resolve)
    request.on('error', reject)
    request.end(body)
  })
}

interface ServerEvent {
  readonly id: string
  readonly message: { readonly id?: unknown; readonly result?: unknown } | undefined
}

/** Reads an answer, a stream or a single JSON body, event by event. */
class EventReader {
  readonly answer: IncomingMessage
  readonly #parts: AsyncIterator<string>
  #text = ''

  constructor(answer: IncomingMessage) {
    this.answer = answer
    // Breaking off is an event of its own here, and no error.
    answer.on('error', () => {})
    this.#parts = answer.setEncoding('utf8')[Symbol.asyncIterator]()
  }

  /** The next message, or an event with an id and none; undefined at the end. */
  async next(): Promise<ServerEvent | undefined> {
    const isStream = this.answer.headers['content-type']?.startsWith('text/event-stream') === true
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (isStream && end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        const data = /^data: (.+)$/m.exec(block)?.[1]
        const id = /^id: (.*)$/m.exec(block)?.[1] ?? ''
        if (data !== undefined) return { id, message: JSON.parse(data) }
        continue
      }
      const part = await this.#parts.next().catch(() => undefined)
      if (part === undefined || part.done === true) return isStream ? undefined : this.#whole()
      this.#text += part.value
    }
  }

  breakOff(): void {
    this.answer.destroy()
  }

  #whole(): ServerEvent | undefined {
    const body = this.#text
    this.#text = ''
    return body === '' || this.answer.statusCode !== 200 ? undefined : { id: '', message: JSON.parse(body) }
  }
}
