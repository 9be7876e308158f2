/** Makes room of the names that deleted files left, without a version that comes again. */
import { readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absent, codeOf } from './absent.ts'

/** What is left of a file that was deleted or replaced, or of a write that broke off. */
const REMAINS = /@(?:\d+|new|empty)$/

/** How long it stays, which is more than anybody is late by. */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * The number that every file had less than, or just that, of which nothing is left: a new file begins above it, so that
 * nobody takes it for one that he knew. It is the name of an empty file, `@12`, which no file of a plugin can have; the
 * greatest one is meant.
 */
export async function floorOf(folder: string): Promise<number> {
  const names = (await readdir(folder).catch(absent)) ?? []
  return Math.max(0, ...names.filter((name) => /^@\d+$/.test(name)).map((name) => Number(name.slice(1))))
}

/** Removes what has stood for nothing for a day, and folders without anything in them. Tells whether there was any. */
export async function forgetDeleted(folder: string): Promise<boolean> {
  const floor = await floorOf(folder)
  const { remains, emptyFolders } = await find(folder, join(folder, `@${floor}`))
  const numbers = remains.map((file) => Number(/@(\d+)$/.exec(file)?.[1] ?? 0))
  const highest = numbers.reduce((most, number) => Math.max(most, number), 0)
  // First the floor, then what it stands for: whoever finds that gone finds the floor.
  if (highest > floor) await writeFile(join(folder, `@${highest}`), '', { mode: 0o600 })
  for (const file of remains) await rm(file, { force: true })
  // What is in a folder goes before it.
  for (const each of emptyFolders.sort((a, b) => b.length - a.length)) await rmdir(each).catch(inUse)
  return remains.length + emptyFolders.length > 0
}

async function find(
  folder: string,
  floor: string,
): Promise<{ readonly remains: string[]; readonly emptyFolders: string[] }> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
  const remains: string[] = []
  const used = new Set<string>()
  for (const entry of entries.filter((one) => !one.isDirectory())) {
    const file = join(entry.parentPath, entry.name)
    if (file !== floor && REMAINS.test(entry.name) && (await isOver(file))) remains.push(file)
    else for (let at = entry.parentPath; at.length > folder.length; at = join(at, '..')) used.add(at)
  }
  const folders = entries.filter((one) => one.isDirectory()).map((one) => join(one.parentPath, one.name))
  return { remains, emptyFolders: folders.filter((one) => !used.has(one)) }
}

async function isOver(file: string): Promise<boolean> {
  const facts = await stat(file).catch(absent)
  if (facts === undefined || facts.mtimeMs > Date.now() - KEPT_MS) return false
  return facts.size === 0 || file.endsWith('@new')
}

/** For `catch`: somebody has put something there, or was quicker. */
function inUse(error: unknown): void {
  const code = codeOf(error)
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error
}
