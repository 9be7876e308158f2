import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkIntact } from '../../scripts/word-vectors/check-intact.ts'

test('an archive of which a byte differs is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-archive-'))
  try {
    const file = join(folder, 'archive.tgz')
    const integrity = 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='
    writeFileSync(file, 'abc')
    checkIntact(file, integrity)
    writeFileSync(file, 'abd')
    expect(() => checkIntact(file, integrity)).toThrow(`, not ${integrity}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
