/** The requests of the gateway benchmark as bytes, for both eras, and what a right answer to them contains. */

export type Era = 'legacy' | 'modern'

const LEGACY_VERSION = '2025-11-25'
const MODERN_VERSION = '2026-07-28'
const CLIENT = { name: 'bench', version: '0' }

/** Every body has the same length, whatever its number: ids begin where another digit is out of reach. */
const FIRST_ID = 1_000_000

export const INITIALIZE: string = rpc(1, 'initialize', {
  protocolVersion: LEGACY_VERSION,
  capabilities: {},
  clientInfo: CLIENT,
})

export const INITIALIZED: string = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** The body of the n-th call of `echo` under the name `tool`. */
export function echoBody(n: number, tool: string, era: Era): string {
  const params = { name: tool, arguments: { message: `hello ${FIRST_ID + n}` } }
  return rpc(FIRST_ID + n, 'tools/call', era === 'modern' ? { ...params, _meta: MODERN_META } : params)
}

/** The body of a `tools/list` from this cursor on. */
export function listBody(era: Era, cursor: string | undefined): string {
  const params = { ...(cursor !== undefined && { cursor }), ...(era === 'modern' && { _meta: MODERN_META }) }
  return rpc(FIRST_ID, 'tools/list', params)
}

/** The headers that go with every `tools/list` of the era. */
export function listHeaders(era: Era, sessionId: string | undefined): Record<string, string> {
  const { 'mcp-name': _, ...headers } = callHeaders(era, '', sessionId)
  return era === 'modern' ? { ...headers, 'mcp-method': 'tools/list' } : headers
}

/** Whether `answer` carries the result of the n-th call. */
export function isEchoAnswer(answer: string, n: number): boolean {
  return answer.includes(`"Echo: hello ${FIRST_ID + n}"`) && answer.includes(`"id":${FIRST_ID + n}`)
}

/** The number that `echoBody` gave to the call that this line of JSON answers; undefined for anything else. */
export function answeredCall(line: string): number | undefined {
  const id = /"id":(\d{7,})/.exec(line)?.[1]
  return id === undefined ? undefined : Number(id) - FIRST_ID
}

/** A whole HTTP request with a JSON body. */
export function post(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** The headers that go with every `tools/call` of the era. */
export function callHeaders(era: Era, tool: string, sessionId: string | undefined): Record<string, string> {
  if (era === 'modern') return { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': 'tools/call', 'mcp-name': tool }
  return { 'mcp-protocol-version': LEGACY_VERSION, ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }) }
}

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
}

function rpc(id: number, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
