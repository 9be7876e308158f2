import { expect, test } from 'vitest'
import type { ConfigChange } from '../../config/config-change.ts'
import type { PluginStatus } from '../../host.ts'
import { createTerminal } from './output/terminal.ts'
import { createServeReport } from './serve-report.ts'

const NOTHING: ConfigChange = { added: [], removed: [], restarted: [], adjusted: [], settings: [], kept: [] }
const UP: PluginStatus = { id: 'files', kind: 'mcp', state: 'up', since: 0, tools: 2 }

/** A report, and the lines that it wrote since they were last asked for. */
function report(json = false) {
  let written = ''
  const stream = { write: (text: string) => (written += text) }
  const { stdout } = createTerminal({ stdout: stream, stderr: stream, stdin: (async function* () {})() }, {})
  const lines = () => {
    const all = written.split('\n').slice(0, -1)
    written = ''
    return all
  }
  return { ...createServeReport({ output: stdout, json, redact: (text) => text, idWidth: () => 5 }), lines }
}

const applied = (change: Partial<ConfigChange>) =>
  ({ outcome: 'applied', change: { ...NOTHING, ...change }, reports: change.kept ?? [] }) as const

const refused = (...faults: readonly string[]) =>
  ({ outcome: 'refused', reason: faults.join('\n'), reports: faults.map((fault) => `refused: ${fault}`) }) as const

test('a change is one line of what it did, and a line for each key that waits', () => {
  const { reconfigured, lines } = report()
  reconfigured(applied({ added: ['a', 'b'], removed: ['c'], restarted: ['d'], adjusted: ['e'], settings: ['expose'] }))
  reconfigured(applied({ kept: ['dataDir stays /a until a restart'] }))
  expect(lines()).toEqual([
    'config: added a, b; removed c; restarted d; adjusted e; changed expose',
    'config: nothing to change',
    '  dataDir stays /a until a restart',
  ])
})

test('a refused config is told with a line for each fault, harmless on a screen, every time', () => {
  const { reconfigured, lines } = report()
  const told = ['config: refused, the one before stays in effect', '  a.yaml:1:1: one', '  a.yaml:2:1: two']
  for (let time = 0; time < 2; time++) {
    reconfigured(refused('a.yaml:1:1: one\u001b[2J', 'a.yaml:2:1: two'))
    expect(lines()).toEqual(told)
  }
})

test('what was told of a config is no finding besides', () => {
  const { reconfigured, findings, lines } = report()
  reconfigured(refused('one'))
  lines()
  findings(['refused: one', 'names clash'])
  expect(lines()).toEqual(['note: names clash'])
})

test('a finding is told once, and once more when it was over in between', () => {
  const { findings, lines } = report()
  for (const now of [['a'], ['a', 'b'], ['b'], ['a', 'b']]) findings(now)
  expect(lines()).toEqual(['note: a', 'note: b', 'note: a'])
})

test('a plugin that begins anew is news again, as it was the first time', () => {
  const { plugin, reconfigured, lines } = report()
  plugin(UP)
  plugin(UP)
  reconfigured(applied({ restarted: ['files'] }))
  plugin({ ...UP, state: 'starting' })
  plugin(UP)
  expect(lines()).toEqual([
    'files  up, 2 tools',
    'config: restarted files',
    'files  starting, 2 tools known',
    'files  up, 2 tools',
  ])
})

test('as JSON it is one object with the whole change', () => {
  const { reconfigured, lines } = report(true)
  reconfigured(applied({ added: ['a'] }))
  reconfigured(refused('one'))
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { event: 'config', outcome: 'applied', change: { ...NOTHING, added: ['a'] } },
    { event: 'config', outcome: 'refused', reason: 'one' },
  ])
})

const RECORD = {
  time: 0,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:files:read',
  plugin: 'files',
  via: undefined,
  provider: undefined,
  argumentsSize: 2,
  resultSize: 14,
  outcome: 'ok',
  durationMs: 1,
} as const

test('leaves calls out while nobody reads the report, and says so once', async () => {
  const written: string[] = []
  const stream = { writableLength: 0, write: (text: string) => written.push(text) }
  const { stdout } = createTerminal({ stdout: stream, stderr: stream, stdin: (async function* () {})() }, {})
  const report = createServeReport({ output: stdout, json: true, redact: (text) => text, idWidth: () => 5 })
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
