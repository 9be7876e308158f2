/** Clients on the official SDK that come, list, call, cancel now and then, and go, some without a word. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { PATIENCE_MS, type Tally } from './tally.ts'

export interface VisitOptions {
  readonly url: string
  readonly tools: readonly string[]
  readonly tally: Tally
  /** Aborted when it is time to leave. */
  readonly over: AbortSignal
}

const MODES = ['legacy', { pin: '2026-07-28' }] as const
const CALLS_A_VISIT = 25
const PAUSE_MS = 15

/** Visits again and again until it is over, in either era in turn. Rejects when it can't even connect. */
export async function keepVisiting(options: VisitOptions, first: 0 | 1): Promise<void> {
  for (let nth: number = first; !options.over.aborted; nth++) await visit(options, MODES[nth % 2] ?? 'legacy')
}

async function visit(options: VisitOptions, mode: (typeof MODES)[number]): Promise<void> {
  const { url, tally, over } = options
  const client = new Client({ name: 'visitor', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  countAnswers(transport, tally)
  tally.happened('visits')
  client.setNotificationHandler('notifications/tools/list_changed', () => tally.happened('told of a change'))
  const { tools } = await client.listTools()
  if (!tools.some(({ name }) => name === 'call_mcp_tool')) tally.fault('a list without call_mcp_tool')
  for (let nth = 0; nth < CALLS_A_VISIT && !over.aborted; nth++) {
    await Promise.all([callOnce(client, options), Math.random() < 0.2 ? callOnce(client, options) : undefined])
    await pause(Math.random() * PAUSE_MS)
  }
  if (Math.random() < 0.3) tally.happened('left without a word')
  else if (mode === 'legacy') await transport.terminateSession()
  await client.close()
}

async function callOnce(client: Client, { tools, tally }: VisitOptions): Promise<void> {
  const call = tally.next(tools)
  const cancels = Math.random() < 0.1
  const works = !cancels && Math.random() < 0.3
  const args = {
    token: call.token,
    ...(cancels && { ms: 300, steps: 3 }),
    ...(works && { ms: Math.round(Math.random() * 100) }),
  }
  const giveUp = new AbortController()
  const timer = cancels ? setTimeout(() => giveUp.abort(), Math.random() * 250) : undefined
  const direct = Math.random() < 0.7
  const request = direct
    ? { name: call.tool, arguments: args }
    : { name: 'call_mcp_tool', arguments: { tool_name: call.tool, arguments: args } }
  const progress = cancels ? { onprogress: () => tally.happened('steps of progress') } : {}
  try {
    const result = await client.callTool(request, { signal: giveUp.signal, timeout: PATIENCE_MS, ...progress })
    if (!cancels && !works) tally.answeredAtOnce(call)
    tally.answer(call, result)
  } catch (error) {
    if (giveUp.signal.aborted) tally.end('cancelled')
    else if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) tally.lose(call)
    else tally.fault(`${call.tool} failed with ${String(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Looks at every message before the SDK does. */
function countAnswers(transport: StreamableHTTPClientTransport, tally: Tally): void {
  const answered = new Set<unknown>()
  const take = transport.onmessage
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) {
      if (answered.has(message.id)) tally.answeredTwice(JSON.stringify(message).slice(0, 200))
      answered.add(message.id)
    }
    take?.(message)
  }
}
