/** MCP over the stdin and stdout of a real process, to SDK clients of both eras and byte by byte. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'stdio-child.ts')
const ERAS = ['legacy', 'modern'] as const

interface Connected {
  readonly client: Client
  /** Resolves when the process has written this line to stderr. */
  readonly said: (line: string) => Promise<void>
}

async function connect(era: (typeof ERAS)[number]): Promise<Connected> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  )
  const transport = new StdioClientTransport({ command: process.execPath, args: [SCRIPT], stderr: 'pipe' })
  onTestFinished(() => client.close())
  const lines: string[] = []
  const ears = new Set<() => void>()
  transport.stderr?.on('data', (chunk: Buffer) => {
    lines.push(...chunk.toString().split('\n'))
    for (const ear of ears) ear()
  })
  await client.connect(transport)
  const said = (line: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (lines.includes(line)) resolve()
      }
      ears.add(look)
      look()
    })
  return { client, said }
}

describe.each(ERAS)('a %s client on stdio', (era) => {
  it('lists the tools and calls one directly and through call_mcp_tool', async () => {
    const { client } = await connect(era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('lab_length')
    const args = { text: 'four' }
    const direct = await client.callTool({ name: 'lab_length', arguments: args })
    const relayed = await client.callTool({
      name: 'call_mcp_tool',
      arguments: { tool_name: 'lab_length', arguments: args },
    })
    expect([direct.content, relayed.content]).toEqual(Array(2).fill([{ type: 'text', text: '4' }]))
    const found = await client.callTool({ name: 'search_mcp_tools', arguments: { query: 'length' } })
    expect(found.structuredContent).toMatchObject({ tools: [{ name: 'lab_length' }] })
  })

  it('sends and gets messages of many megabytes', async () => {
    const { client } = await connect(era)
    const sent = await client.callTool({ name: 'lab_length', arguments: { text: 'x'.repeat(12 * 1024 * 1024) } })
    expect(sent.content).toEqual([{ type: 'text', text: '12582912' }])
    const { content } = await client.callTool({ name: 'lab_repeat', arguments: { times: 3_000_000 } })
    expect(content).toEqual([{ type: 'text', text: 'ü'.repeat(3_000_000) }])
  })

  it('is told so when an answer is nested too deeply to be sent', async () => {
    const { client } = await connect(era)
    await expect(client.callTool({ name: 'lab_deep', arguments: {} })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('nested too deeply'),
    })
    const next = await client.callTool({ name: 'lab_length', arguments: { text: 'four' } })
    expect(next.content).toEqual([{ type: 'text', text: '4' }])
  })

  it('is not disturbed by what else writes to stdout', async () => {
    const { client, said } = await connect(era)
    const { content } = await client.callTool({ name: 'lab_noisy', arguments: {} })
    expect(content).toEqual([{ type: 'text', text: 'quiet' }])
    await said('this is not JSON-RPC')
  })

  it('cancels a call down to the plugin', async () => {
    const { client, said } = await connect(era)
    const controller = new AbortController()
    const progressed = Promise.withResolvers<void>()
    const call = client.callTool(
      { name: 'call_mcp_tool', arguments: { tool_name: 'lab_wait' } },
      { signal: controller.signal, onprogress: () => progressed.resolve() },
    )
    const rejected = expect(call).rejects.toThrow()
    await progressed.promise
    controller.abort()
    await rejected
    await said('aborted')
  })
})

describe('a change of the list', () => {
  it('is told to a legacy client unasked', async () => {
    const { client } = await connect('legacy')
    const told = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve())
    await client.listTools()
    await client.callTool({ name: 'lab_grow', arguments: {} })
    await told.promise
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('more_grown')
  })

  it('is told to a modern client on the subscription it opened', async () => {
    const { client } = await connect('modern')
    const told = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve())
    const subscription = await client.listen({ toolsListChanged: true })
    await client.listTools()
    await client.callTool({ name: 'lab_grow', arguments: {} })
    await told.promise
    await subscription.close()
  })
})

interface Raw {
  readonly child: ChildProcessWithoutNullStreams
  readonly out: Interface
  readonly stderr: () => string
}

function start(): Raw {
  const child = spawn(process.execPath, [SCRIPT])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return { child, out: createInterface(child.stdout), stderr: () => stderr }
}

function send({ child }: Raw, id: number, method: string, params = {}): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } }

async function answered(raw: Raw): Promise<{ readonly id: number; readonly result?: unknown }> {
  const [line] = await once(raw.out, 'line')
  return JSON.parse(line)
}

describe('the end of stdio', () => {
  it('comes when stdin ends, and cancels what still runs', async () => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    send(raw, 2, 'tools/call', { name: 'lab_wait', _meta: { progressToken: 1 } })
    await answered(raw)
    raw.child.stdin.end()
    expect(await once(raw.child, 'close')).toEqual([0, null])
    expect(raw.stderr()).toContain('aborted')
    expect(raw.stderr()).toContain('ended')
  })

  it('comes when the host is told to stop', async () => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    raw.child.kill('SIGTERM')
    expect(await once(raw.child, 'close')).toEqual([0, null])
    expect(raw.stderr()).toContain('ended')
  })

  it('comes when the reader of stdout has gone', async () => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    raw.out.close()
    raw.child.stdout.destroy()
    send(raw, 2, 'tools/call', { name: 'lab_repeat', arguments: { times: 1_000_000 } })
    expect(await once(raw.child, 'close')).toEqual([0, null])
    expect(raw.stderr()).toContain('ended')
  })

  it('does not come with a message that is too long to read, which is answered with an error', async () => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    raw.child.stdin.write('x'.repeat(66 * 1024 * 1024))
    const message = 'a message of more than 67108864 bytes was left out; send less at once'
    expect(await answered(raw)).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })
    raw.child.stdin.write('\n')
    send(raw, 2, 'ping')
    expect(await answered(raw)).toMatchObject({ id: 2, result: {} })
  })

  it('does not come with a line that is no message', async () => {
    const raw = start()
    raw.child.stdin.write('hello?\n\n')
    expect(await answered(raw)).toMatchObject({ id: null, error: { code: -32700 } })
    send(raw, 1, 'initialize', HELLO)
    expect(await answered(raw)).toMatchObject({ id: 1, result: { serverInfo: { name: 'callboard' } } })
  })
})

describe('a message that is not as it should be', () => {
  it.each([
    ['broken JSON', '{"jsonrpc":"2.0","id":5,', null, -32700],
    ['another protocol', '{"jsonrpc":"1.0","id":5}', 5, -32600],
    ['no object', '5', null, -32600],
    ['a batch', '[]', null, -32600],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', null, -32600],
    ['a member that no request has', '{"jsonrpc":"2.0","id":5,"method":"ping","extra":1}', 5, -32600],
    ['params that are an array', '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[]}', 5, -32602],
    ['_meta that is a number', '{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":5}}', 'a', -32602],
    [
      'a progress token that is an object',
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":{}}}}',
      5,
      -32602,
    ],
  ])('is answered with an error: %s', async (_what, line, id, code) => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    raw.child.stdin.write(`${line}\n`)
    expect(await answered(raw)).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } })
  })

  it('is answered with nothing when it is a notification or an answer', async () => {
    const raw = start()
    send(raw, 1, 'initialize', HELLO)
    await answered(raw)
    raw.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}\n')
    raw.child.stdin.write('{"jsonrpc":"2.0","id":7,"result":5}\n')
    send(raw, 2, 'ping')
    expect(await answered(raw)).toMatchObject({ id: 2, result: {} })
  })
})
