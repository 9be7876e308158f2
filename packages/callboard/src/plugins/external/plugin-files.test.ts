import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { floorOf, forgetDeleted } from './forget-deleted.ts'
import { PluginFiles } from './plugin-files.ts'

let folder: string
let files: PluginFiles

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-files-'))
  files = new PluginFiles(join(folder, 'files'))
})
afterEach(() => rm(folder, { recursive: true }))

const of = (text: string) => ({ content: Buffer.from(text), metadata: undefined })

test('what was written is read, metadata and all, and is gone when it was deleted', async () => {
  expect(await files.read('notes/a b@1.md')).toBeUndefined()
  const content = Buffer.from([0, 10, 255])
  await files.write('notes/a b@1.md', { content, metadata: { tags: ['x'] } }, 0)
  expect(await files.read('notes/a b@1.md')).toEqual({ content, metadata: { tags: ['x'] }, version: 1 })
  expect(await files.delete('notes/a b@1.md')).toBe(true)
  expect(await files.delete('notes/a b@1.md')).toBe(false)
  expect(await files.read('notes/a b@1.md')).toBeUndefined()
})

test('a write is made only on the version that was expected', async () => {
  expect(await files.write('a', of('1'), 5)).toEqual({ outcome: 'conflict', version: 0 })
  expect(await files.write('a', of('1'), 0)).toEqual({ outcome: 'written', version: 1 })
  expect(await files.write('a', of('2'), 0)).toEqual({ outcome: 'conflict', version: 1 })
  expect(await files.write('a', of('2'), -1)).toEqual({ outcome: 'written', version: 2 })
  expect((await files.read('a'))?.content.toString()).toBe('2')
})

test('of many writers on one version exactly one wins, version after version', async () => {
  const others = Array.from({ length: 8 }, () => new PluginFiles(join(folder, 'files')))
  for (let version = 0; version < 40; version++) {
    const written = await Promise.all(others.map((each, index) => each.write('a', of(String(index)), version)))
    expect(written.filter(({ outcome }) => outcome === 'written')).toEqual([
      { outcome: 'written', version: version + 1 },
    ])
  }
  const left = await readdir(join(folder, 'files'))
  expect(left).toHaveLength(17)
  expect(left.every((name) => /^a@\d+$/.test(name))).toBe(true)
})

test('counters that read and write by compare and swap lose no step', async () => {
  const count = async (steps: number): Promise<void> => {
    const own = new PluginFiles(join(folder, 'files'))
    for (let done = 0; done < steps; ) {
      const file = await own.read('n')
      const next = Number(file?.content.toString() ?? '0') + 1
      if ((await own.write('n', of(String(next)), file?.version ?? 0)).outcome === 'written') done += 1
    }
  }
  await Promise.all([count(20), count(20), count(20)])
  expect((await files.read('n'))?.content.toString()).toBe('60')
})

test('versions grow over a deletion, so nobody takes a new file for the one that he knew', async () => {
  await files.write('a', of('first'), 0)
  await files.delete('a')
  expect(await files.list('', '')).toEqual([])
  expect(await files.write('a', of('late'), 1)).toEqual({ outcome: 'conflict', version: 0 })
  expect(await files.write('a', of('second'), 0)).toEqual({ outcome: 'written', version: 3 })
})

test('writers that do not care about versions all write', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => files.write('a', of(String(index)), -1)))
  expect((await files.read('a'))?.version).toBe(20)
})

test('a list has what begins with the prefix and fits the pattern, sorted', async () => {
  for (const path of ['b.md', 'a/c.md', 'a/d.txt', 'a/e/f.md']) await files.write(path, of('four'), 0)
  const paths = async (prefix: string, pattern: string) =>
    (await files.list(prefix, pattern)).map(({ path, size, version }) => `${path} ${size} ${version}`)
  expect(await paths('', '')).toEqual(['a/c.md 4 1', 'a/d.txt 4 1', 'a/e/f.md 4 1', 'b.md 4 1'])
  expect(await paths('a/', '*.md')).toEqual(['a/c.md 4 1', 'a/e/f.md 4 1'])
  expect(await new PluginFiles(join(folder, 'nothing')).list('', '')).toEqual([])
})

test.each(['', '/a', 'a/', 'a//b', '..', 'a/../b', './a', 'x'.repeat(300), `${'a/'.repeat(16)}x`])(
  '%j is no path',
  async (path) => {
    await expect(files.read(path)).rejects.toMatchObject({ code: 'usage' })
  },
)

test('a file and a folder may have one name', async () => {
  await files.write('a', of('file'), 0)
  await files.write('a/b', of('in it'), 0)
  expect((await files.list('', '')).map(({ path }) => path)).toEqual(['a', 'a/b'])
})

const FULL = { code: 'denied', message: expect.stringContaining('raise its `maxStorage`') }

test('all files together take no more room than there is, and what is deleted or replaced makes room', async () => {
  files = new PluginFiles(join(folder, 'files'), 10_000)
  await files.write('a', of('x'.repeat(8_000)), 0)
  await expect(files.write('b', of('x'.repeat(3_000)), 0)).rejects.toMatchObject(FULL)
  expect(await files.read('b')).toBeUndefined()
  await files.write('a', of('x'.repeat(9_000)), 1)
  await files.write('a', of('x'.repeat(100)), 2)
  await files.write('b', of('x'.repeat(8_000)), 0)
  await files.delete('b')
  await files.write('c', of('x'.repeat(8_000)), 0)
})

test('writers at the same time do not share the room that is left, and another host counts what is there', async () => {
  files = new PluginFiles(join(folder, 'files'), 10_000)
  const written = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((path) => files.write(path, of('x'.repeat(4_000)), 0)),
  )
  expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const another = new PluginFiles(join(folder, 'files'), 10_000)
  await expect(another.write('e', of('x'.repeat(4_000)), 0)).rejects.toMatchObject(FULL)
})

test('names take room too, and what is refused leaves none behind', async () => {
  files = new PluginFiles(join(folder, 'files'), 10_000)
  let count = 0
  const fill = async (): Promise<void> => {
    for (;;) {
      await files.write(`n${count}`, of(''), 0)
      count += 1
    }
  }
  await expect(fill()).rejects.toMatchObject(FULL)
  expect(count).toBeGreaterThan(20)
  expect(count).toBeLessThan(40)
  await files.write('deep/a', of(''), 7).catch(() => {})
  await files.delete('deep/b')
  expect(await readdir(join(folder, 'files'))).not.toContain('deep')
})

test('each folder takes the room of a name', async () => {
  files = new PluginFiles(join(folder, 'files'), 10_000)
  let count = 0
  const fill = async (): Promise<void> => {
    for (;;) {
      await files.write(`n${count}/${'a/'.repeat(14)}x`, of(''), 0)
      count += 1
    }
  }
  await expect(fill()).rejects.toMatchObject(FULL)
  // Each is fifteen folders and a file.
  expect(count).toBe(2)
  await expect(
    new PluginFiles(join(folder, 'files'), 10_000).write('b/c/d/e/f/g/h/i/j', of(''), 0),
  ).rejects.toMatchObject(FULL)
  expect(await readdir(join(folder, 'files'))).toEqual(['n0', 'n1'])
})

/** As if everything that is there now had been there for so many hours. */
async function age(hours: number): Promise<void> {
  const at = Date.now() / 1_000 - hours * 3_600
  for (const name of await readdir(join(folder, 'files'), { recursive: true }))
    await utimes(join(folder, 'files', name), at, at)
}

test('the names of deleted files make room after a day, and no version comes again', async () => {
  files = new PluginFiles(join(folder, 'files'), 10_000)
  await files.write('kept', of('still here'), 0)
  const fill = async (): Promise<void> => {
    for (let count = 0; ; count++) {
      await files.write(`deep${count}/a`, of('old'), 0)
      await files.delete(`deep${count}/a`)
    }
  }
  await expect(fill()).rejects.toMatchObject(FULL)
  await age(20)
  await expect(files.write('new/a', of('old'), 0)).rejects.toMatchObject(FULL)
  await age(30)
  expect(await files.write('new/a', of('old'), 0)).toEqual({ outcome: 'written', version: 3 })
  expect((await readdir(join(folder, 'files'))).sort()).toEqual(['@2', 'kept@1', 'new'])
  // Whoever knew the first of it in version 1 does not take another for it.
  expect(await files.write('deep0/a', of('late'), 1)).toEqual({ outcome: 'conflict', version: 0 })
  expect(await files.write('deep0/a', of('next'), 0)).toEqual({ outcome: 'written', version: 3 })
  expect(await files.write('deep0/a', of('late'), 1)).toEqual({ outcome: 'conflict', version: 3 })
  expect((await files.list('', '')).map(({ path }) => path)).toEqual(['deep0/a', 'kept', 'new/a'])
  expect((await files.read('kept'))?.content.toString()).toBe('still here')
})

test('what is forgotten meanwhile does not let two writers win, nor a version come again', async () => {
  const [first, second] = [new PluginFiles(join(folder, 'files')), new PluginFiles(join(folder, 'files'))]
  for (let round = 0; round < 30; round++) {
    const version = (await first.read('a/b'))?.version ?? 0
    const [one, two] = await Promise.all([
      first.write('a/b', of('1'), version),
      second.write('a/b', of('2'), version),
      forgetDeleted(join(folder, 'files')),
    ])
    expect([one, two].filter(({ outcome }) => outcome === 'written')).toHaveLength(1)
    const made = Math.max(one.version, two.version)
    expect(made).toBeGreaterThan(version)
    await first.delete('a/b')
    await age(30)
    expect(await first.write('a/b', of('late'), made)).toMatchObject({ outcome: 'conflict' })
  }
  expect(await floorOf(join(folder, 'files'))).toBeGreaterThan(30)
})
