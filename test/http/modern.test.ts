import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectClient, LISTEN, modernCall, next, open, raw, type Subject, startSurface, until } from './surface.ts'

let subject: Subject

beforeEach(async () => {
  subject = await startSurface()
})

afterEach(() => subject.surface.close())

describe('a request that stands alone', () => {
  it('is answered with JSON and no session', async () => {
    const answer = await raw(subject.url, modernCall('echo', { message: 'hi' }))
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(JSON.parse(answer.text)).toMatchObject({
      id: 1,
      result: { resultType: 'complete', content: [{ text: 'hi' }] },
    })
  })

  it('is served as the user whose request it is', async () => {
    for (const user of ['ana', 'bob', 'ana']) {
      const { headers, ...request } = modernCall('whoami')
      const answer = await raw(subject.url, { ...request, headers: { ...headers, 'x-user': user } })
      expect(JSON.parse(answer.text)).toMatchObject({ result: { content: [{ text: user }] } })
    }
  })

  it('is answered with events as soon as there is progress, none of which is lost', async () => {
    const answer = await raw(subject.url, modernCall('steps'))
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    const messages = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(messages.map((message) => message.params?.progress)).toEqual([1, 2, 3, undefined])
  })

  it('is cancelled when its client breaks off', async () => {
    const hanging = next(subject.calls, 'hanging')
    const aborted = next(subject.calls, 'aborted')
    const gone = new AbortController()
    const { headers, body } = modernCall('hang')
    const answer = fetch(subject.url, {
      method: 'POST',
      signal: gone.signal,
      headers: { ...headers, 'content-type': 'application/json', accept: '*/*' },
      body: JSON.stringify(body),
    })
    await hanging
    gone.abort()
    await expect(answer).rejects.toThrow()
    await aborted
  })

  it.each(['echo', 'refuse', 'steps'])('to %s is answered alike on the short way and through the SDK', async (tool) => {
    const short = modernCall(tool, { message: 'hi' })
    // A name in Base64 is one that only the SDK decodes.
    const encoded = { 'mcp-name': `=?base64?${Buffer.from(tool).toString('base64')}?=` }
    const long = { ...short, headers: { ...short.headers, ...encoded } }
    const other = await raw(subject.url, long)
    const one = await raw(subject.url, short)
    const parsed = ({ status, text }: typeof one) => ({
      status,
      messages: text
        .split('\n')
        .filter((line) => line.includes('jsonrpc'))
        .map((line) => JSON.parse(line.replace('data: ', ''))),
    })
    expect(parsed(one)).toEqual(parsed(other))
    expect(one.headers['content-type']).toBe(other.headers['content-type'])
    expect(subject.made).toHaveLength(1)
  })

  it('crosses no other that has the same id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        raw(subject.url, modernCall(i % 3 === 0 ? 'steps' : 'echo', { message: `<${i}>` })),
      ),
    )
    for (const [i, { text }] of answers.entries()) expect(text).toContain(`<${i}>`)
  })
})

describe('a client of the SDK of 2026-07-28', () => {
  it('discovers, lists, calls and sees progress', async () => {
    const client = await connectClient(subject.url, 'modern')
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    const progress: number[] = []
    await client.callTool({ name: 'steps' }, { onprogress: (step) => progress.push(step.progress) })
    expect(progress).toEqual([1, 2, 3])
    await client.close()
  })

  it('cancels a call', async () => {
    const client = await connectClient(subject.url, 'modern')
    const hanging = next(subject.calls, 'hanging')
    const aborted = next(subject.calls, 'aborted')
    const cancel = new AbortController()
    const answer = client.callTool({ name: 'hang' }, { signal: cancel.signal })
    await hanging
    cancel.abort('no longer needed')
    await expect(answer).rejects.toThrow()
    await aborted
    await client.close()
  })

  it('gets its own answers when sixteen call at once', async () => {
    const clients = await Promise.all(Array.from({ length: 16 }, () => connectClient(subject.url, 'modern')))
    const answers = await Promise.all(
      clients.map((client, i) => client.callTool({ name: 'echo', arguments: { message: `${i}` } })),
    )
    expect(answers.map(({ content }) => content)).toEqual(clients.map((_, i) => [{ type: 'text', text: `${i}` }]))
    await Promise.all(clients.map((client) => client.close()))
  })
})

describe('a subscription', () => {
  it('is acknowledged, told once of a burst of changes, and ended with a result', async () => {
    const stream = await open(subject.url, LISTEN)
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    await until(() => text.includes('notifications/subscriptions/acknowledged'))
    for (let i = 0; i < 10; i += 1) subject.surface.notifyToolsChanged()
    await until(() => text.includes('notifications/tools/list_changed'))
    await subject.surface.close()
    await until(() => stream.complete)
    expect(text.match(/notifications\/tools\/list_changed/g)).toHaveLength(1)
    expect(text).toMatch(/"id":"sub","result":\{"resultType":"complete"/)
  })
})
