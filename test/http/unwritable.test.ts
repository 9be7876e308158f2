/** Answers that JSON can't hold: the client is told so, the log has a line, and the surface goes on. */
import { Server } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { call, deep, modernCall, open, openSession, type RawRequest, raw, startSurface } from './surface.ts'

const TOLD = { code: -32603, message: expect.stringContaining('nested too deeply or too long') }

async function startLogged() {
  const lines: string[] = []
  const log = createLog(new Secrets(), 'error', { write: (line: string) => lines.push(line) })
  return { subject: await startSurface({ log }), lines }
}

describe('an answer that is nested too deeply', () => {
  it('is an error to clients of both eras, on the short way and on the SDK’s', async () => {
    const { subject, lines } = await startLogged()
    await using _ = subject
    const session = await openSession(subject.url)
    const requests: readonly RawRequest[] = [
      { headers: session, body: call(1, 'deep') },
      modernCall('deep'),
      modernCall('deep'),
    ]
    for (const request of requests) {
      const { text } = await raw(subject.url, request)
      expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 1, error: TOLD })
    }
    expect(lines.filter((line) => line.includes('could not be written'))).toHaveLength(requests.length)
  })

  it('is an error on a stream that is open already', async () => {
    await using subject = await startSurface()
    const headers = await openSession(subject.url)
    const { text } = await raw(subject.url, { headers, body: [call(1, 'steps'), call(2, 'deep'), call(3, 'echo')] })
    const answers = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 2, error: TOLD })
    expect(answers).toContainEqual(expect.objectContaining({ id: 3, result: expect.anything() }))
  })

  it('spoils no other answer of its batch', async () => {
    await using subject = await startSurface()
    const headers = await openSession(subject.url)
    const { text } = await raw(subject.url, { headers, body: [call(1, 'echo'), call(2, 'deep')] })
    expect(JSON.parse(text)).toEqual([
      expect.objectContaining({ id: 1, result: expect.anything() }),
      { jsonrpc: '2.0', id: 2, error: TOLD },
    ])
  })
})

describe('a list that is nested too deeply', () => {
  it('is an error to clients of both eras', async () => {
    await using subject = await startSurface({
      createServer: () => {
        const server = new Server({ name: 'subject', version: '0' }, { capabilities: { tools: {} } })
        server.setRequestHandler('tools/list', () => ({
          tools: [{ name: 'odd', inputSchema: { type: 'object' as const, properties: {}, default: deep() } }],
        }))
        return server
      },
    })
    const headers = await openSession(subject.url)
    const legacy = { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }
    for (const request of [legacy, modernList()]) {
      const { text } = await raw(subject.url, request)
      expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32603 } })
    }
  })
})

describe('a batch', () => {
  it('is answered whole when its answers together are longer than a string can be', async () => {
    await using subject = await startSurface()
    const headers = await openSession(subject.url)
    const bytes = 50 * 1024 * 1024
    const calls = Array.from({ length: 11 }, (_, index) => call(index, 'big', { bytes }))
    const answer = await open(subject.url, { headers, body: calls })
    let length = 0
    for await (const chunk of answer) length += chunk.length
    expect(length).toBeGreaterThan(11 * bytes)
    expect(answer.complete).toBe(true)
  }, 30_000)
})

function modernList(): RawRequest {
  const { headers, body } = modernCall('')
  const { params } = Object(body)
  return {
    headers: { 'mcp-protocol-version': String(headers?.['mcp-protocol-version']), 'mcp-method': 'tools/list' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: params._meta } },
  }
}
