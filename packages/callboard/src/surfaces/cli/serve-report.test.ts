import { expect, it } from 'vitest'
import { createTerminal } from './output/terminal.ts'
import { createServeReport } from './serve-report.ts'

const RECORD = {
  time: 0,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:files:read',
  plugin: 'files',
  via: undefined,
  outcome: 'ok',
  durationMs: 1,
} as const

it('leaves calls out while nobody reads the report, and says so once', async () => {
  const written: string[] = []
  const stream = { writableLength: 0, write: (text: string) => written.push(text) }
  const { stdout } = createTerminal({ stdout: stream, stderr: stream, stdin: (async function* () {})() }, {})
  const report = createServeReport({ output: stdout, json: true, redact: (text) => text, idWidth: 5 })
  stream.writableLength = 2 * 1024 * 1024
  for (let call = 0; call < 100; call += 1) report.call(RECORD)
  stream.writableLength = 0
  report.call(RECORD)
  report.call(RECORD)
  report.stopping()
  const lines = written.join('').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'finding', message: '100 lines were left out, because nobody read them' },
    { event: 'call' },
    { event: 'call' },
    { event: 'stopping' },
  ])
})
