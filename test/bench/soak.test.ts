import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test.each([
  ['servers', []],
  ['external plugins', ['--external']],
])(
  'a short soak of %s loses nothing, gives nothing twice, leaves nothing behind, and leaves the page alone',
  async (_what, words) => {
    const page = readFileSync(fromRoot('docs/performance.md'), 'utf8')
    // Whatever is wrong ends it with an error, which names it.
    const { stdout } = await promisify(execFile)(process.execPath, [
      fromRoot('bench/soak.ts'),
      '--minutes',
      '0.3',
      '--dry',
      ...words,
    ])
    for (const row of ['answers lost', 'answers given twice', 'calls run twice', 'processes left at the end'])
      expect(stdout).toMatch(new RegExp(`^\\| ${row} +\\| +0 \\|$`, 'm'))
    expect(stdout).not.toMatch(/NaN|undefined/)
    expect(readFileSync(fromRoot('docs/performance.md'), 'utf8')).toBe(page)
  },
  120_000,
)
