/** Numbers that doubles would write otherwise pass through the real command in both directions as they were written. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseWritten } from '../../packages/callboard/src/exact-json.ts'
import { ODD_NUMBERS } from '../fixtures/any-json.ts'
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../fixtures/fixture.ts'
import { openSession, raw } from '../http/surface.ts'
import { createSite, type Serving, type Site } from './callboard.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const PLUGINS = ['process', 'http', 'stream'] as const
const NUMBERS = ODD_NUMBERS.join()
const ENVELOPE = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}`

let fixtures: readonly HttpFixture[]
let site: Site
/** The same, which nobody serves. */
let alone: Site
let serving: Serving

beforeAll(async () => {
  fixtures = await Promise.all([startHttpFixture('written-server'), startHttpFixture('written-server', ['--sse'])])
  const [plain, streaming] = fixtures.map(({ url }) => url)
  site = siteOf(plain, streaming)
  alone = siteOf(plain, streaming)
  serving = await site.serve()
})

afterAll(async () => {
  await Promise.all([site, alone].map((one) => one[Symbol.asyncDispose]()))
  for (const fixture of fixtures) await fixture.stop()
})

function siteOf(plain: string | undefined, streaming: string | undefined): Site {
  const made = createSite(
    {
      process: { mcp: fixtureCommand('written-server', '--era', 'legacy') },
      http: { mcp: { url: plain } },
      stream: { mcp: { url: streaming } },
      'acme/own': './own',
    },
    { audit: { arguments: true } },
  )
  mkdirSync(join(made.dir, 'own'))
  const tool = {
    name: 'acme.own.tell',
    description: 'Tells its arguments',
    action: './tell.ts',
    args: [{ name: 'n', type: 'number' }],
  }
  const manifest = { package: 'acme/own', name: 'Own', version: '1.0.0', tools: [tool] }
  writeFileSync(join(made.dir, 'own/plugin.yaml'), JSON.stringify(manifest))
  writeFileSync(join(made.dir, 'own/tell.ts'), 'export default (args: object) => JSON.stringify(args)\n')
  return made
}

/** Sends a call and answers with the text of the message that answers it. */
type Ask = (name: string, args: string) => Promise<string>

interface Way extends AsyncDisposable {
  readonly era: 'legacy' | 'modern'
  readonly ask: Ask
}

let lastId = 0
function callText(name: string, args: string, more = ''): string {
  lastId += 1
  return `{"jsonrpc":"2.0","id":${lastId},"method":"tools/call","params":{"name":"${name}","arguments":${args}${more}}}`
}

async function legacyHttp(isBatch: boolean): Promise<Way> {
  const headers = await openSession(serving.url)
  const ask: Ask = async (name, args) => {
    const body = callText(name, args)
    const { text } = await raw(serving.url, { headers, body: isBatch ? `[${body}]` : body })
    return isBatch ? text.slice(1, -1) : text
  }
  return { era: 'legacy', ask, [Symbol.asyncDispose]: async () => {} }
}

/** @param more makes a request of it that takes the SDK to be judged */
async function modernHttp(more: string): Promise<Way> {
  const ask: Ask = async (name, args) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
    return (await raw(serving.url, { headers, body: callText(name, args, `,"_meta":{${ENVELOPE}}${more}`) })).text
  }
  return { era: 'modern', ask, [Symbol.asyncDispose]: async () => {} }
}

async function stdio(era: Way['era']): Promise<Way> {
  const child = spawn(process.execPath, site.stdio, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/"(?:result|error)":/.test(line)) waiting.shift()?.(line)
  })
  const send = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    return new Promise((resolve) => waiting.push(resolve))
  }
  if (era === 'legacy') {
    const params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}'
    await send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":${params}}`)
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }
  return {
    era,
    ask: (name, args) => send(callText(name, args, era === 'modern' ? `,"_meta":{${ENVELOPE}}` : '')),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

const WAYS: readonly [string, () => Promise<Way>][] = [
  ['HTTP, 2025-11-25', () => legacyHttp(false)],
  ['HTTP, 2025-03-26, in a batch', () => legacyHttp(true)],
  ['HTTP, 2026-07-28', () => modernHttp('')],
  ['HTTP, 2026-07-28, judged by the SDK', () => modernHttp(',"inputResponses":{}')],
  ['stdio, 2025-11-25', () => stdio('legacy')],
  ['stdio, 2026-07-28', () => stdio('modern')],
]

/** The tool by its own name, and through `call_mcp_tool`. */
function bothWays(name: string, args: string): readonly (readonly [name: string, args: string])[] {
  return [
    [name, args],
    ['call_mcp_tool', `{"tool_name":"${name}","arguments":${args}}`],
  ]
}

/** What stands at this path of the JSON, as it was written. */
function at(json: string, ...path: readonly string[]): string {
  return JSON.stringify(path.reduce((value: unknown, key) => Object(value)[key], parseWritten(json)))
}

describe.each(WAYS)('over %s', (_, open) => {
  let way: Way
  beforeAll(async () => {
    way = await open()
  })
  afterAll(() => way[Symbol.asyncDispose]())

  test('results', async () => {
    const result = `{"content":[{"type":"text","text":"t","n":[${NUMBERS}]}],"structuredContent":[${NUMBERS}],"_meta":{"a/b":[${NUMBERS}]},"isError":true}`
    for (const plugin of PLUGINS)
      for (const call of bothWays(`${plugin}_say`, JSON.stringify({ json: result }))) {
        const answer = await way.ask(...call)
        expect(at(answer, 'result', 'content')).toBe(at(result, 'content'))
        const structured = way.era === 'legacy' ? `{"result":[${NUMBERS}]}` : `[${NUMBERS}]`
        expect(at(answer, 'result', 'structuredContent')).toBe(structured)
        expect(at(answer, 'result', '_meta', 'a/b')).toBe(`[${NUMBERS}]`)
        expect(at(answer, 'result', 'isError')).toBe('true')
      }
  })

  test('the data of errors, and -32002 for who knows it', async () => {
    const args = JSON.stringify({ json: `{"n":[${NUMBERS}]}`, code: -32_002 })
    for (const plugin of PLUGINS)
      for (const call of bothWays(`${plugin}_fail`, args)) {
        const answer = await way.ask(...call)
        expect(at(answer, 'error', 'data')).toBe(`{"n":[${NUMBERS}]}`)
        expect(at(answer, 'error', 'code')).toBe(way.era === 'legacy' ? '-32002' : '-32602')
        expect(at(answer, 'error', 'message')).toBe('"quota exceeded"')
      }
  })

  test('arguments', async () => {
    for (const plugin of PLUGINS)
      for (const number of ODD_NUMBERS)
        for (const call of bothWays(`${plugin}_echo`, `{"n":${number},"list":[${NUMBERS}]}`)) {
          const answer = await way.ask(...call)
          expect(Object(parseWritten(answer)).result.content[0].text).toBe(`{"n":${number},"list":[${NUMBERS}]}`)
        }
  })

  test('a tool that gets doubles is not called with another number', async () => {
    const name = 'plugin-acme-own-acme-own-tell'
    for (const call of bothWays(name, '{"n":12345678901234567890}')) {
      const answer = await way.ask(...call)
      expect(at(answer, 'result', 'isError')).toBe('true')
      expect(answer).toContain('n: 12345678901234567890 is too large to be passed on exactly; give it as a text')
    }
    for (const call of bothWays(name, '{"n":0.1234567890123456789}'))
      expect(await way.ask(...call)).toContain('{\\"n\\":0.12345678901234568}')
  })
})

test('the audit has them as they were written', async () => {
  await using way = await modernHttp('')
  await way.ask('http_echo', `{"n":1,"list":[${NUMBERS}]}`)
  const child = spawn(process.execPath, site.command(['audit', '--json']), { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout) printed += String(chunk)
  expect(printed).toContain(JSON.stringify(`{"n":1,"list":[${NUMBERS}]}`))
})

describe.each(['through the running host', 'by itself'])('the command line %s', (how) => {
  async function run(...words: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, (how === 'by itself' ? alone : site).command(words), {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (printed += String(chunk)))
    await new Promise((resolve) => child.once('close', resolve))
    return printed
  }

  test('prints and passes on numbers as they were written', async () => {
    const json = `{"content":[],"structuredContent":{"n":[${NUMBERS}]}}`
    const args = JSON.stringify({ json })
    expect(await run('call', 'process_say', '--args', args)).toBe(`{"n":[${NUMBERS}]}\n`)
    expect(at(await run('call', 'process_say', '--json', '--args', args), 'structuredContent')).toBe(
      `{"n":[${NUMBERS}]}`,
    )
    expect(await run('call', 'http_echo', '--args', `{"list":[${NUMBERS}]}`, '--n', '12345678901234567890')).toBe(
      `{"list":[${NUMBERS}],"n":12345678901234567890}\n`,
    )
    expect(await run('call', 'plugin-acme-own-acme-own-tell', '--n', '12345678901234567890')).toContain(
      'n: 12345678901234567890 is too large to be passed on exactly; give it as a text',
    )
    const failed = await run('call', 'process_fail', '--json', '--args', JSON.stringify({ json: `[${NUMBERS}]` }))
    expect(at(failed, 'error', 'data')).toBe(`[${NUMBERS}]`)
  })
})
