import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PlainCalls } from './plain-calls.ts'

const version = fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', '2027-01-01', '', 1)
const anything = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(undefined))

const meta = fc.oneof(
  fc.record(
    {
      progressToken: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('a', 1) }, anything),
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': fc.oneof(fc.constant({ name: 'a', version: '0' }), anything),
      'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), anything),
      'io.modelcontextprotocol/logLevel': fc.constantFrom('info', 'loud'),
      'io.modelcontextprotocol/related-task': anything,
      traceparent: anything,
    },
    { requiredKeys: [] },
  ),
  anything,
)

const body = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, anything),
    id: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 1) }, fc.double(), anything),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('tools/call', 'tools/list') },
      fc.constantFrom('initialize', 'ping'),
      anything,
    ),
    params: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record(
          {
            name: fc.oneof({ weight: 9, arbitrary: fc.constant('echo') }, anything),
            arguments: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, anything),
            _meta: meta,
            requestState: anything,
          },
          { requiredKeys: ['name'] },
        ),
      },
      {
        weight: 5,
        arbitrary: fc.record(
          { cursor: fc.oneof(fc.string(), anything), _meta: meta, name: anything },
          { requiredKeys: [] },
        ),
      },
      anything,
    ),
    result: anything,
  },
  { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
)

const headers = fc.record(
  {
    'mcp-protocol-version': version.map(String),
    'mcp-method': fc.constantFrom('tools/call', 'tools/list'),
    'mcp-name': fc.constantFrom('echo', 'other', '=?base64?ZWNobw==?='),
  },
  { requiredKeys: [] },
)

/** Bodies as they come from a socket. */
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function classify(given: IncomingHttpHeaders, value: unknown) {
  const text = (name: string) => (given[name] === undefined ? undefined : String(given[name]))
  const protocolVersionHeader = text('mcp-protocol-version')
  const mcpMethodHeader = text('mcp-method')
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    body: value,
  })
}

describe('a plain call', () => {
  it('is one that the SDK puts into the same era', () => {
    fc.assert(
      fc.property(headers, body, (given, value) => {
        const calls = new PlainCalls(true)
        const message = parsed(value)
        const route = classify(given, message)
        if (route.kind === 'modern') calls.learn(message)
        const plain = calls.recognise(given, message)
        if (plain !== undefined) expect(route).toMatchObject({ kind: plain.era })
      }),
      { numRuns: 5000 },
    )
  })

  const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } }
  const about = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'a', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = { ...legacy, params: { ...legacy.params, _meta: { ...about, progressToken: 3 } } }
  const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }

  it('of a session is recognised with and without a version', () => {
    const calls = new PlainCalls(true)
    expect(calls.recognise({}, legacy)).toEqual({ era: 'legacy', request: legacy })
    expect(calls.recognise({ 'mcp-protocol-version': '2025-11-25' }, legacy)?.era).toBe('legacy')
  })

  it('that stands alone is recognised once the SDK has found right what its client says of itself', () => {
    const calls = new PlainCalls(true)
    expect(calls.recognise(modernHeaders, modern)).toBeUndefined()
    calls.learn(modern)
    expect(calls.recognise(modernHeaders, modern)).toEqual({ era: 'modern', request: modern })
    const other = {
      ...modern,
      params: { ...modern.params, _meta: { ...about, 'io.modelcontextprotocol/clientCapabilities': 1 } },
    }
    expect(calls.recognise(modernHeaders, other)).toBeUndefined()
  })

  it('may be a list too, of a session or alone, where the surface can answer that', () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const next = { ...list, params: { cursor: 'abc', _meta: about } }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const calls = new PlainCalls(true)
    calls.learn(modern)
    expect(calls.recognise({}, list)).toEqual({ era: 'legacy', request: list })
    expect(calls.recognise(headers, next)).toEqual({ era: 'modern', request: next })
    for (const params of [{ cursor: 1 }, { name: 'echo' }, [], null, { _meta: 1 }])
      expect(calls.recognise({}, { ...list, params })).toBeUndefined()
    const callsOnly = new PlainCalls(false)
    callsOnly.learn(modern)
    expect(callsOnly.recognise({}, list)).toBeUndefined()
    expect(callsOnly.recognise(headers, next)).toBeUndefined()
  })

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const)(
    'needs the header %s to say what its body says',
    (name) => {
      const calls = new PlainCalls(true)
      calls.learn(modern)
      expect(calls.recognise({ ...modernHeaders, [name]: 'other' }, modern)).toBeUndefined()
      const { [name]: _, ...rest } = modernHeaders
      expect(calls.recognise(rest, modern)).toBeUndefined()
    },
  )

  it('remembers no more than it may of what clients say', () => {
    const calls = new PlainCalls(true)
    const saying = (name: string) => ({
      ...modern,
      params: { ...modern.params, _meta: { ...about, 'io.modelcontextprotocol/clientInfo': { name, version: '0' } } },
    })
    calls.learn(saying('x'.repeat(5000)))
    expect(calls.recognise(modernHeaders, saying('x'.repeat(5000)))).toBeUndefined()
    for (let i = 0; i <= 1000; i += 1) calls.learn(saying(`${i}`))
    expect(calls.recognise(modernHeaders, saying('0'))).toBeUndefined()
    expect(calls.recognise(modernHeaders, saying('1000'))).toBeDefined()
  })
})
