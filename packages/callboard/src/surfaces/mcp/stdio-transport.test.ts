import { PassThrough, Readable, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { encodedResult } from '../../plugins/encoded-result.ts'
import { Secrets } from '../../secrets.ts'
import { StdioTransport } from './stdio-transport.ts'

it('drops progress for a client that reads too slowly, counts it in the log, and keeps everything else', async () => {
  const waiting: (() => void)[] = []
  const written: string[] = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString())
      waiting.push(done)
    },
  })
  const logged: string[] = []
  const log = createLog(new Secrets(), 'warn', { write: (line: string) => logged.push(line) })
  const transport = new StdioTransport(new PassThrough(), output, log)
  const message = 'x'.repeat(1000)
  for (let progress = 0; progress < 10_000; progress += 1)
    void transport.send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress, message },
    })
  const sent = Promise.all([
    transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
    transport.send({ jsonrpc: '2.0', id: 1, result: {} }),
  ])
  expect(output.writableLength).toBeLessThan(2 * 1024 * 1024)
  for (let done = waiting.shift(); done !== undefined; done = waiting.shift()) {
    done()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await sent
  await transport.close()
  expect(written.at(-1)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n')
  expect(written.at(-2)).toContain('list_changed')
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ dropped: 10_000 - (written.length - 2) })
})

it('reads every message of a chunk, whatever ends its lines', async () => {
  const log = createLog(new Secrets(), 'silent')
  const lines = Readable.from([Buffer.from('{"jsonrpc":"2.0","method":"a"}\r\n\n{"jsonrpc":"2.0","method":"b"}\n')])
  const transport = new StdioTransport(lines, new PassThrough(), log)
  const seen: unknown[] = []
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve
  })
  transport.onmessage = (message) => seen.push(message)
  await transport.start()
  await closed
  expect(seen).toEqual([
    { jsonrpc: '2.0', method: 'a' },
    { jsonrpc: '2.0', method: 'b' },
  ])
})

it('reads no more of a client that leaves much unread, until it has taken that', async () => {
  const held: (() => void)[] = []
  const output = new Writable({ write: (_chunk, _encoding, done) => held.push(done) })
  const lines = new PassThrough()
  const transport = new StdioTransport(lines, output, createLog(new Secrets(), 'silent'))
  const taken = Promise.withResolvers<unknown>()
  transport.onmessage = taken.resolve
  await transport.start()
  const result = encodedResult(new Map([['content', [Buffer.alloc(64 * 1024 * 1024)]]]), { content: [] })
  const sent = [1, 2, 3, 4].map((id) => transport.send({ jsonrpc: '2.0', id, result }))
  expect(lines.isPaused()).toBe(true)
  lines.write('{"jsonrpc":"2.0","method":"a"}\n')
  await new Promise((resolve) => setImmediate(resolve))
  expect(lines.readableLength).toBeGreaterThan(0)
  for (let done = held.shift(); done !== undefined; done = held.shift()) {
    done()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(sent)
  expect(await taken.promise).toEqual({ jsonrpc: '2.0', method: 'a' })
})
