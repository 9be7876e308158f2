import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder is made with those that it lies in, and one that is there stays', () => {
  const path = join(newFolder(), 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
})

test('what is no folder is named', () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow(`"${file}" is no folder`)
  expect(() => makeFolder(join(file, 'a'))).toThrow('ENOTDIR')
})

test.skipIf(process.platform !== 'linux')('where none can be made it ends with the reason', () => {
  expect(() => makeFolder('/proc/none/below')).toThrow('ENOENT')
})
