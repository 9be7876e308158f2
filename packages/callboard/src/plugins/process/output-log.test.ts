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
