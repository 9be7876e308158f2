import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { FileWatch } from './file-watch.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callboard-watch-'))
  file = join(dir, 'callboard.yaml')
  writeFileSync(file, 'one')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
})

/** Follows the files, quickly by the file system's own word and else hardly ever, or the other way round. */
function follow(files: readonly string[], { pollMs = 60_000, quietMs = 30 } = {}) {
  let told = 0
  let next = Promise.withResolvers<void>()
  const watch = new FileWatch(
    () => {
      told += 1
      next.resolve()
    },
    { quietMs, pollMs },
  )
  onTestFinished(() => watch[Symbol.dispose]())
  for (const each of files) watch.add(each)
  return {
    watch,
    told: () => told,
    /** Resolves at the next change after the last one that was waited for. */
    change: async () => {
      await next.promise
      next = Promise.withResolvers()
    },
  }
}

/** How many handles of this process watch a folder. */
function watching(): number {
  const { libuv } = process.report.getReport() as { libuv: readonly { type: string; is_active: boolean }[] }
  return libuv.filter((handle) => handle.type === 'fs_event' && handle.is_active).length
}

test('a change in place is told', async () => {
  const { change } = follow([file])
  writeFileSync(file, 'two')
  await change()
})

test('a file that takes the place of the other is told, and followed from then on', async () => {
  const { change } = follow([file])
  for (const text of ['two', 'three']) {
    writeFileSync(join(dir, 'new'), text)
    renameSync(join(dir, 'new'), file)
    await change()
  }
  appendFileSync(file, 'more')
  await change()
})

test('a file that goes is told, and so is one that comes', async () => {
  const { change } = follow([file])
  unlinkSync(file)
  await change()
  writeFileSync(file, 'again')
  await change()
})

test('a link behind which another folder appears is told, as with a config map of Kubernetes', async () => {
  for (const version of ['..1', '..2', '..3']) {
    mkdirSync(join(dir, version))
    writeFileSync(join(dir, version, 'mounted.yaml'), version)
  }
  symlinkSync('..1', join(dir, '..data'))
  symlinkSync(join('..data', 'mounted.yaml'), join(dir, 'mounted.yaml'))
  const { change } = follow([join(dir, 'mounted.yaml')])
  for (const version of ['..2', '..3']) {
    symlinkSync(version, join(dir, '..data_tmp'))
    renameSync(join(dir, '..data_tmp'), join(dir, '..data'))
    await change()
  }
  rmSync(join(dir, '..1'), { recursive: true })
  writeFileSync(join(dir, '..3', 'mounted.yaml'), 'in place')
  await change()
})

test('what changes behind a link into another folder is told', async () => {
  mkdirSync(join(dir, 'far'))
  writeFileSync(join(dir, 'far', 'real.yaml'), 'one')
  symlinkSync(join(dir, 'far', 'real.yaml'), join(dir, 'link.yaml'))
  const { change } = follow([join(dir, 'link.yaml')])
  writeFileSync(join(dir, 'far', 'new'), 'two')
  renameSync(join(dir, 'far', 'new'), join(dir, 'far', 'real.yaml'))
  await change()
})

test('links in a circle are a file that is not there', async () => {
  symlinkSync('b', join(dir, 'a'))
  symlinkSync('a', join(dir, 'b'))
  const { change } = follow([join(dir, 'a')])
  unlinkSync(join(dir, 'a'))
  writeFileSync(join(dir, 'a'), 'real')
  await change()
})

test('changes in quick succession are told once, after the last', async () => {
  const { change, told } = follow([file], { quietMs: 200 })
  for (let edit = 0; edit < 20; edit++) writeFileSync(file, `edit ${edit} ${'x'.repeat(edit)}`)
  await change()
  expect(told()).toBe(1)
})

test('other files of the folder are no news', async () => {
  const { change, told } = follow([file])
  writeFileSync(join(dir, 'other'), 'x')
  // One that counts comes after, and is the first that is told.
  writeFileSync(file, 'two')
  await change()
  expect(told()).toBe(1)
})

test('where the file system tells nothing, looking finds it', async () => {
  // Its folder is not there when it is first followed, so there is nothing to watch.
  const late = join(dir, 'later', 'callboard.yaml')
  const { change } = follow([late], { pollMs: 20 })
  mkdirSync(join(dir, 'later'))
  writeFileSync(late, 'here')
  await change()
})

test('another time of the file alone is a change as well', async () => {
  const { change, told } = follow([file])
  const { atime } = statSync(file)
  utimesSync(file, atime, new Date(0))
  await change()
  expect(told()).toBe(1)
})

test('what is retained is followed, and nothing else; nothing is left when it is disposed of', async () => {
  const other = join(dir, 'other.env')
  writeFileSync(other, 'A=1')
  const before = watching()
  const { watch, change, told } = follow([file, other])
  expect(watching()).toBe(before + 2)
  watch.retain(new Set([file]))
  writeFileSync(other, 'A=2')
  writeFileSync(file, 'two')
  await change()
  expect(told()).toBe(1)
  watch[Symbol.dispose]()
  await expect.poll(watching).toBe(before)
})
