import { expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { OutputLog } from './output-log.ts'

function outputLog() {
  const secrets = new Secrets()
  secrets.add('tok-0123456789')
  const lines: string[] = []
  // What is logged is not redacted here, so that only what the output log does itself is seen.
  const log = createLog(new Secrets(), 'info', { write: (line) => lines.push(JSON.parse(line).msg) })
  return { output: new OutputLog(log, 'stderr', secrets), lines }
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
