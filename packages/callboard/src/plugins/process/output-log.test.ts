import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { OutputLog } from './output-log.ts'

function outputLog(takes?: (line: string) => boolean) {
  const secrets = new Secrets()
  secrets.add('tok-0123456789')
  const lines: string[] = []
  const leftOut: number[] = []
  // What is logged is not redacted here, so that only what the output log does itself is seen.
  const log = createLog(new Secrets(), 'info', {
    write(line) {
      const { msg, lines: count } = JSON.parse(line)
      if (count === undefined) lines.push(msg)
      else leftOut.push(count)
    },
  })
  return { output: new OutputLog(log, 'stderr', secrets, takes), lines, leftOut }
}

test.each([300, 256, 1_000, 4_096])(
  'a token at character %i is not cut in two, in the log or the last lines',
  (edge) => {
    for (let before = edge - 14; before <= edge; before += 1) {
      const { output, lines } = outputLog()
      output.push(Buffer.from(`${'x'.repeat(before)}tok-0123456789\n`))
      output.push(Buffer.from(`${'x'.repeat(before)}tok-0123456789${'y'.repeat(5_000)}\n`))
      output.write(`${'x'.repeat(before)}tok-0123456789${'y'.repeat(5_000)}`, 1_000)
      expect(lines).toHaveLength(3)
      expect(output.lastLines).toHaveLength(3)
      expect([...lines, ...output.lastLines].join('\n')).not.toContain('tok-')
    }
  },
)

const FRAMES = `    at Module._load (node:internal/modules/cjs/loader:1368:5)
    ... 5 lines matching cause stack trace ...
    at node:internal/main/run_main_module:33:47`

test.each([
  [
    'a module that is missing',
    `node:internal/modules/cjs/loader:1595
  throw err;
  ^

Error: Cannot find module '/srv/missing.js'
${FRAMES} {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v26.10.0`,
    ["Error: Cannot find module '/srv/missing.js'"],
  ],
  [
    'an import that is missing',
    `node:internal/modules/esm/resolve:241
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /srv/a.js
${FRAMES} {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v26.10.0`,
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /srv/a.js"],
  ],
  [
    'what was thrown for a cause',
    `/srv/a.js:3
throw new Error('no settings', { cause })
^

Error: no settings
${FRAMES} {
  [cause]: Error: ENOENT
${FRAMES}
  }
}

Node.js v26.10.0`,
    ['/srv/a.js:3', "throw new Error('no settings', { cause })", 'Error: no settings', '  [cause]: Error: ENOENT'],
  ],
  [
    'a text that was thrown',
    `
/srv/a.js:1
throw 'no settings'
^
no settings
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)

Node.js v26.10.0`,
    ['/srv/a.js:1', "throw 'no settings'", 'no settings'],
  ],
  ['what a program says itself', 'at 3 o’clock: 名\n  throw away\n100%', ['at 3 o’clock: 名', '  throw away', '100%']],
])('of %s only the lines that say why are kept as the last ones, and all are logged', (_, said, kept) => {
  const { output, lines } = outputLog()
  output.push(Buffer.from(`${said}\n`))
  expect(output.lastLines).toEqual(kept)
  expect(lines).toEqual(said.split('\n').filter((line) => line !== ''))
})

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i + 1}`)

test('of a flood the first lines are logged, the others counted, and those that say why it ended are kept', () => {
  const { output, lines, leftOut } = outputLog()
  const said = [...numbered(5_000), 'Error: the disk is full', '    at write (/srv/a.js:1:1)', '', 'Node.js v26.10.0']
  output.push(Buffer.from(`${said.join('\n')}\n`))
  output.end()
  expect(lines.slice(0, 200)).toEqual(said.slice(0, 200))
  expect(lines.length + leftOut.reduce((a, b) => a + b, 0)).toBe(5_003)
  expect(output.lastLines).toEqual([...said.slice(4_995, 5_000), 'Error: the disk is full'])
})

test('of a flood only its beginning and its end are looked at line by line', () => {
  const { output } = outputLog()
  const flood = Buffer.from(`${numbered(100_000).join('\n')}\n`)
  expect(Array.from(output.steps(flood)).length).toBeLessThan(300)
})

test('a flood in pieces is told like one that comes line by line', () => {
  const line = fc.oneof(
    fc.constantFrom('', ' ', '\r', '    at f (/a.js:1:1)', 'tok-0123456789', 'why 名', 'x'.repeat(5_000)),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 20, maxLength: 100 }), fc.array(fc.nat(4_000)), (said, lengths) => {
      const text = Buffer.from(`${numbered(190).join('\n')}\n${said.join('\n')}`)
      const byLine = outputLog()
      for (let from = 0, to = 0; to < text.length; from = to) {
        to = text.indexOf('\n', from) + 1 || text.length
        byLine.output.push(text.subarray(from, to))
      }
      const inPieces = outputLog()
      for (let from = 0, next = 0; from < text.length; next++) {
        const to = from + (lengths[next] ?? text.length)
        inPieces.output.push(text.subarray(from, to))
        from = to
      }
      byLine.output.end()
      inPieces.output.end()
      expect(inPieces.output.lastLines).toEqual(byLine.output.lastLines)
      expect(inPieces.lines.slice(0, 200)).toEqual(byLine.lines.slice(0, 200))
      const told = ({ lines, leftOut }: typeof byLine): number => leftOut.reduce((a, b) => a + b, lines.length)
      expect(told(inPieces)).toBe(told(byLine))
    }),
  )
})

test('the line that the host waits for is found in a flood', () => {
  const taken: string[] = []
  const { output } = outputLog((line) => line.startsWith('READY') && taken.push(line) > 0)
  output.push(Buffer.from(`${[...numbered(1_000), 'READY 127.0.0.1:1', ...numbered(1_000)].join('\n')}\n`))
  expect(taken).toEqual(['READY 127.0.0.1:1'])
  expect(Array.from(output.steps(Buffer.from(`${numbered(1_000).join('\n')}\n`))).length).toBeLessThan(30)
})
