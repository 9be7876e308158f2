/** Clients that hardly read: what waits for all of them together is bounded, and nobody who reads pays for it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { encodedResult } from '../../packages/callboard/src/plugins/encoded-result.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import type { ToolCalls } from '../../packages/callboard/src/surfaces/mcp/http/tool-calls.ts'
import { type ReaderLimits, Readers } from '../../packages/callboard/src/surfaces/readers.ts'
import { type SlowReader, startSlowReader } from './slow-reader.ts'
import { call, modernCall, open, openSession, type RawRequest, startSurface } from './surface.ts'

// The windows of these tests are a few seconds long.
vi.setConfig({ testTimeout: 60_000 })

const MEGABYTE = 1024 * 1024
/** Far more than the operating system takes off the host for a client that reads nothing. */
const BYTES = 24 * MEGABYTE
const PIECE = 64 * 1024

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** What is alive in buffers, in bytes. */
function buffers(): number {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().arrayBuffers
}

/** A surface whose tool `big` answers with so many bytes as they come from an MCP server. */
async function surface(limits: Partial<ReaderLimits>) {
  const lines: string[] = []
  const log = createLog(new Secrets(), 'warn', { write: (line: string) => lines.push(line) })
  const readers = new Readers(log, limits)
  const toolCalls: ToolCalls = {
    serverInfo: { name: 'subject', version: '0' },
    call: async ({ params }, _server, { notify }) => {
      const progressToken = params?._meta?.progressToken
      if (progressToken !== undefined)
        await notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
      const text = Array.from({ length: BYTES / PIECE }, () => Buffer.alloc(PIECE, 'x'))
      const content = [Buffer.from('[{"type":"text","text":"'), ...text, Buffer.from('"}]')]
      return encodedResult(new Map([['content', content]]), { content: [] })
    },
  }
  const subject = await startSurface({ log, readers, toolCalls })
  return { subject, readers, cut: () => lines.map((line) => JSON.parse(line)).filter(({ reason }) => reason) }
}

/** The ways on which a large answer goes out: of both eras, as one body and as an event. */
async function requests(url: string): Promise<RawRequest[]> {
  const headers = { ...(await openSession(url)), 'mcp-protocol-version': '2025-11-25' }
  return Array.from({ length: 12 }, (_, id) => {
    const request = id % 2 === 0 ? modernCall('big') : { headers, body: call(id, 'big') }
    const { params, ...body } = Object(request.body)
    if (id % 4 < 2) return request
    return { ...request, body: { ...body, params: { ...params, _meta: { ...params._meta, progressToken: id } } } }
  })
}

async function lengthOf(url: string, request: RawRequest): Promise<number> {
  let length = 0
  for await (const chunk of await open(url, request)) length += chunk.length
  return length
}

it('twelve hold no more than all may, whatever the way; one that reads beside them has everything', async () => {
  const maxBytes = 2.5 * BYTES
  const { subject, readers, cut } = await surface({ maxBytes, windowMs: 10_000 })
  const slow: SlowReader[] = []
  const before = buffers()
  try {
    for (const request of await requests(subject.url)) {
      slow.push(await startSlowReader(subject.url, request))
      expect(await lengthOf(subject.url, modernCall('big'))).toBeGreaterThan(BYTES)
    }
    await vi.waitFor(() => expect(readers.bytes).toBeLessThan(maxBytes), { timeout: 10_000 })
    // What is let go is freed a little later.
    await vi.waitFor(() => expect(buffers() - before).toBeLessThan(maxBytes + 4 * MEGABYTE), { timeout: 10_000 })
    expect(cut().length).toBeGreaterThanOrEqual(9)
    for (const line of cut()) expect(line).toMatchObject({ user: 'ana', tool: 'big', bytes: expect.any(Number) })
  } finally {
    for (const reader of slow) reader[Symbol.dispose]()
    await subject[Symbol.asyncDispose]()
  }
})

it('one alone is cut off when it takes less than the least, and nothing of its answer stays', async () => {
  const { subject, cut } = await surface({ windowMs: 500 })
  const before = buffers()
  try {
    for (const request of (await requests(subject.url)).slice(0, 4)) {
      using _reader = await startSlowReader(subject.url, request)
      const count = cut().length
      await vi.waitFor(() => expect(cut()).toHaveLength(count + 1), { timeout: 10_000 })
      expect(cut().at(-1)).toMatchObject({ tool: 'big', reason: expect.stringMatching('262144 are the least') })
    }
    // Of what a session sent, some is kept for a client that comes back.
    await vi.waitFor(() => expect(buffers() - before).toBeLessThan(5 * MEGABYTE), { timeout: 10_000 })
  } finally {
    await subject[Symbol.asyncDispose]()
  }
})

it('one that goes away leaves nothing behind', async () => {
  const { subject, readers } = await surface({})
  const before = buffers()
  try {
    for (const request of (await requests(subject.url)).slice(0, 4)) {
      using _reader = await startSlowReader(subject.url, request)
      await vi.waitFor(() => expect(readers.bytes).toBeGreaterThan(BYTES / 2), { timeout: 10_000 })
    }
    await vi.waitFor(() => expect(buffers() - before).toBeLessThan(5 * MEGABYTE), { timeout: 10_000 })
    expect(readers.bytes).toBe(0)
  } finally {
    await subject[Symbol.asyncDispose]()
  }
})

it('one that takes the least in every window has it all', async () => {
  const { subject, cut } = await surface({ windowMs: 1000 })
  try {
    for (const request of (await requests(subject.url)).slice(1, 3)) {
      const answer = await open(subject.url, request)
      let length = 0
      for await (const chunk of answer) {
        length += chunk.length
        await new Promise((resolve) => setTimeout(resolve, chunk.length / 8000))
      }
      expect(length).toBeGreaterThan(BYTES)
    }
    expect(cut()).toEqual([])
  } finally {
    await subject[Symbol.asyncDispose]()
  }
})
