/** The plugin of examples/external/go/orchestra, which speaks only the protocol of before; skipped where `npm run examples` did not build it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  Asker,
  dialLink,
  formatAddress,
  listenForLinks,
  parseAddress,
  type ReceivedRequest,
  type RequestBody,
  type ResponseBody,
  serveLink,
} from '@callboard/sdk/external'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrchestraIdentity } from '../../packages/callboard/src/plugins/external/identity/orchestra-identity.ts'
import { ROOT } from '../cli/run-command.ts'

const PROGRAM = join(ROOT, 'examples/external/go/orchestra-plugin')
const isBuilt = existsSync(PROGRAM)
const PROTOCOLS = ['orchestra-plugin']

describe.skipIf(!isBuilt)('the example of the protocol of before', () => {
  const ends: (() => unknown)[] = []
  const asked: ReceivedRequest[] = []
  let asker: Asker
  let exited: Promise<unknown>
  /** What it keeps with the host, and how often somebody else writes between its reading and its writing. */
  let kept = { content: '', version: 0 }
  let others = 0

  function answer(body: ReceivedRequest): ResponseBody {
    asked.push(body)
    switch (body.case) {
      case 'register':
        return { case: 'register', value: { accepted: true } }
      case 'storageRead':
        return { case: 'storageRead', value: { content: Buffer.from(kept.content), version: BigInt(kept.version) } }
      case 'storageWrite': {
        if (others-- > 0) kept = { content: `${kept.content}of another\n`, version: kept.version + 1 }
        if (Number(body.value.expectedVersion) !== kept.version)
          return { case: 'storageWrite', value: { success: false, error: 'another version' } }
        kept = { content: Buffer.from(body.value.content).toString(), version: kept.version + 1 }
        return { case: 'storageWrite', value: { success: true, newVersion: BigInt(kept.version) } }
      }
      case 'toolCall':
        return { case: 'toolCall', value: { success: true, result: { text: `${body.value.toolName} ran` } } }
      default:
        throw new Error(`a host does not serve ${body.case}`)
    }
  }

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orchestra-'))
    ends.push(() => rm(folder, { recursive: true }))
    const { dialling, listening } = await createOrchestraIdentity(folder)
    const host = await listenForLinks('quic', {
      address: { host: '127.0.0.1', port: 0 },
      credentials: listening,
      protocols: PROTOCOLS,
      onLink: (link) => void serveLink(link, async ({ body }) => answer(body)),
      onRefused: () => {},
    })
    ends.push(() => host.close())
    const words = ['--listen-addr', 'localhost:0', '--certs-dir', folder]
    const child = spawn(PROGRAM, [...words, '--orchestrator-addr', formatAddress(host.address)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    exited = once(child, 'exit')
    ends.push(async () => {
      child.kill('SIGKILL')
      await exited
    })
    const [line] = await once(createInterface(child.stderr), 'line')
    const address = parseAddress(/^READY (\S+)$/.exec(String(line))?.[1] ?? String(line))
    asker = new Asker(await dialLink('quic', { address, credentials: dialling, protocols: PROTOCOLS }))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  beforeEach(() => {
    asked.length = 0
  })

  async function ask(body: RequestBody): Promise<unknown> {
    return (await asker.ask(body)).value
  }

  function call(toolName: string, args: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return ask({ case: 'toolCall', value: { toolName, arguments: args } })
  }

  test('is degraded until it is booted', async () => {
    expect(await ask({ case: 'health', value: {} })).toMatchObject({ status: 2, message: 'not yet booted' })
    expect(await ask({ case: 'boot', value: { config: { a: 'b' } } })).toMatchObject({ ready: true })
    expect(await ask({ case: 'health', value: {} })).toMatchObject({ status: 1 })
  })

  test('lists its tools and prompts', async () => {
    expect(await ask({ case: 'listTools', value: {} })).toMatchObject({
      tools: [
        { name: 'note_add', inputSchema: { type: 'object', required: ['text'] } },
        { name: 'note_list' },
        { name: 'ask_other' },
        { name: 'count' },
      ],
    })
    expect(await ask({ case: 'listPrompts', value: {} })).toMatchObject({ prompts: [{ name: 'summary' }] })
    expect(await ask({ case: 'promptGet', value: { promptName: 'summary' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text' } }],
    })
  })

  test('keeps its notes with the host, also while others write', async () => {
    others = 2
    expect(await call('note_add', { text: 'mine' })).toMatchObject({ success: true, result: { text: '3 notes' } })
    expect(await call('note_list')).toMatchObject({ result: { text: 'of another\nof another\nmine\n' } })
    expect(asked.filter(({ case: name }) => name === 'storageWrite')).toHaveLength(3)
  })

  test('calls tools of the host under its own name', async () => {
    expect(await call('ask_other', { tool: 'x' })).toMatchObject({ success: true, result: { text: 'x ran' } })
    expect(asked).toMatchObject([{ case: 'toolCall', value: { toolName: 'x', callerPlugin: 'tools.notes' } }])
  })

  test('answers in pieces', async () => {
    const pieces: string[] = []
    const start = { streamId: 's', toolName: 'count' }
    const onPart = (part: { readonly case: string | undefined; readonly value?: unknown }): void => {
      if (part.case === 'streamChunk') pieces.push(JSON.stringify(Object(part.value).contentType))
    }
    expect((await asker.ask({ case: 'streamStart', value: start }, { onPart })).value).toMatchObject({
      success: true,
      totalChunks: 3n,
    })
    expect(pieces).toEqual(Array.from({ length: 3 }, () => '"text/plain"'))
  })

  test('fails in the words of its protocol', async () => {
    expect(await call('nothing')).toMatchObject({ success: false, errorCode: 'tool_not_found' })
    expect(await ask({ case: 'hello', value: { version: 1 } })).toMatchObject({ errorCode: 'unknown_request' })
  })

  test('ends when it is asked to', async () => {
    expect(await ask({ case: 'shutdown', value: { timeoutSeconds: 1 } })).toMatchObject({ clean: true })
    expect(await exited).toEqual([0, null])
  })
})
