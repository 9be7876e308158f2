import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { Secrets } from '../../secrets.ts'
import { type FailedRequest, httpFailureOf } from './http-failure.ts'

const endpoint = { url: 'https://mcp.example.com/mcp?key=hidden', headers: {} }
const request = (hasSession: boolean, secrets = new Secrets()): FailedRequest => ({
  endpoint,
  transport: 'Streamable HTTP',
  hasSession,
  secrets,
})
const status = (code: number, text: string): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', { status: code, text })

test.each([
  [404, ''],
  [404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
  [400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}'],
])('HTTP %i with %j is a lost session, for whoever had one', (code, body) => {
  expect(httpFailureOf(status(code, body), request(true)).kind).toBe('session')
  expect(httpFailureOf(status(code, body), request(false)).kind).not.toBe('session')
})

test('a JSON-RPC error under any status is the server’s own error', () => {
  const body = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method","data":{"a":1}}}'
  const failure = httpFailureOf(status(404, body), request(false))
  expect(failure).toMatchObject({ kind: 'rpc', error: { rpcCode: -32601, message: 'no such method', data: { a: 1 } } })
})

test('its data are left out when they are nested too deeply to be written again', () => {
  const data = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"quota exceeded","data":${data}}}`
  expect(httpFailureOf(status(400, body), request(false))).toMatchObject({
    kind: 'rpc',
    error: { rpcCode: -32050, message: 'quota exceeded', data: 'left out: it is nested deeper than 1000 levels' },
  })
})

test.each([
  ['ENOTFOUND', /has no address; check the host name/],
  ['ECONNREFUSED', /refuses the connection; is the server running\?/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate that is not trusted .* NODE_EXTRA_CA_CERTS/],
  ['EWHATEVER', /could not be reached: deep down/],
])('the network error %s is told in words, found below whatever wraps it', (code, words) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error('deep down'), { code }) })
  const failure = httpFailureOf(new Error('probe failed', { cause: error }), request(true))
  expect(failure).toMatchObject({ kind: 'unreachable', reason: expect.stringMatching(words) })
  expect(JSON.stringify(failure)).not.toContain('hidden')
})

test('what is shown of an answer holds no part of a secret, wherever it is cut', () => {
  const secrets = new Secrets()
  secrets.add('tok-0123456789')
  for (let before = 150; before < 210; before += 1) {
    const body = `${'x'.repeat(before)}tok-0123456789 ${'y'.repeat(300)}`
    const failure = httpFailureOf(status(500, body), request(false, secrets))
    expect(failure).toMatchObject({ kind: 'refused', reason: expect.not.stringContaining('tok') })
  }
})
