/** Clients that see the wire as it is: every message sent and received, in both eras, without an SDK's own opinion of it. */
import {
  createMcpHandler,
  InMemoryTransport,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type Server,
} from '@modelcontextprotocol/server'

export interface Answer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface RawClient {
  /** Sends a request and resolves with its answer. */
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Sends a request whose answer nobody waits for, and resolves with its id. */
  post(method: string, params?: Readonly<Record<string, unknown>>): Promise<number>
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>
  /** Notifications so far. */
  readonly notifications: readonly JSONRPCNotification[]
  /** Resolves with the first notification of this method from now on, or one that is there already. */
  heard(method: string): Promise<JSONRPCNotification>
  close(): Promise<void>
}

/** A legacy client past its handshake. */
export async function legacyClient(server: Server): Promise<RawClient & { readonly initialized: Answer }> {
  const [mine, theirs] = InMemoryTransport.createLinkedPair()
  const waiting = new Map<number, (answer: Answer) => void>()
  const notifications: JSONRPCNotification[] = []
  const ears = new Set<() => void>()
  let last = 0
  mine.onmessage = (message: JSONRPCMessage) => {
    const wire: JSONRPCMessage = JSON.parse(JSON.stringify(message))
    if ('method' in wire) {
      notifications.push(wire)
      for (const ear of ears) ear()
    } else waiting.get(Number(wire.id))?.(wire)
  }
  const post = async (method: string, params?: Readonly<Record<string, unknown>>): Promise<number> => {
    last += 1
    await mine.send({ jsonrpc: '2.0', id: last, method, ...(params && { params }) })
    return last
  }
  const client: RawClient = {
    post,
    request: async (method, params) => {
      const answered = Promise.withResolvers<Answer>()
      waiting.set(last + 1, answered.resolve)
      await post(method, params)
      return answered.promise
    },
    notify: (method, params) => mine.send({ jsonrpc: '2.0', method, ...(params && { params }) }),
    notifications,
    heard: (method) => {
      const found = Promise.withResolvers<JSONRPCNotification>()
      const look = (): void => {
        const heard = notifications.find((notification) => notification.method === method)
        if (heard) found.resolve(heard)
      }
      ears.add(look)
      look()
      return found.promise
    },
    close: () => mine.close(),
  }
  await Promise.all([server.connect(theirs), mine.start()])
  const initialized = await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  })
  await client.notify('notifications/initialized')
  return { ...client, initialized }
}

export interface ModernAnswer extends Answer {
  readonly status: number
  readonly notifications: readonly JSONRPCNotification[]
}

/** Sends one request of 2026-07-28 to a server made for it. */
export async function modernRequest(
  make: () => Server,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<ModernAnswer> {
  const handler = createMcpHandler(make, { legacy: 'reject' })
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  }
  const given = typeof params._meta === 'object' ? params._meta : {}
  const name = params.name
  const response = await handler.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...given, ...meta } } }),
    }),
  )
  const messages = messagesIn(await response.text(), response.headers.get('content-type') ?? '')
  await handler.close()
  const notifications: JSONRPCNotification[] = []
  let answer: Answer = {}
  for (const message of messages) {
    if ('method' in message) notifications.push(message)
    else answer = message
  }
  return { ...answer, status: response.status, notifications }
}

function messagesIn(text: string, type: string): JSONRPCMessage[] {
  if (!type.includes('text/event-stream')) return [JSON.parse(text)]
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}
