/**
 * The versions of one file of a plugin on disk: which is the latest, and how the next is made when others make one,
 * too.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { absent, codeOf } from './absent.ts'
import { floorOf } from './forget-deleted.ts'

/** How often a file may change under a reader before that is more than others at work. */
const MAX_TRIES = 100

/** How many versions before the latest keep their names, so that nobody who is late makes one of them again. */
const KEPT = 16

export type Written =
  | { readonly outcome: 'written'; readonly version: number }
  /** It has another version than was expected; 0 when there is none. */
  | { readonly outcome: 'conflict'; readonly version: number }

/** Thrown where others were quicker each time. */
export const BUSY: Error = new Error('busy')

/** What the next version is to be. */
interface Making {
  /** Of all files of the plugin. */
  readonly folder: string
  /** Where the file is on disk, without a version. */
  readonly place: string
  /** None: it is deleted. */
  readonly bytes: readonly Uint8Array[]
  /** Is given the version that is there, 0 for none. */
  readonly isRight: (version: number) => boolean
}

/** As {@link Written}, with the size of the version that it replaced. */
export async function makeVersion({
  folder,
  place,
  bytes,
  isRight,
}: Making): Promise<Written & { readonly replaced: number }> {
  const fresh = `${place}.${randomBytes(6).toString('hex')}@new`
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      // Read before the versions are looked for and again when one is made, so that it did not change in between.
      const floor = await floorOf(folder)
      const { number, size } = await latestOf(place)
      const next = (number === 0 ? floor : number) + 1
      const version = size > 0 ? number : 0
      if (!isRight(version)) return { outcome: 'conflict', version, replaced: 0 }
      if (tries === 0) await writeNew(fresh, bytes)
      if (!(await linkNew(fresh, `${place}@${next}`))) continue
      if (number > 0) await bury(place, number)
      else if ((await floorOf(folder)) !== floor) {
        await rm(`${place}@${next}`)
        continue
      }
      return { outcome: 'written', version: next, replaced: size }
    }
    throw BUSY
  } finally {
    await rm(fresh, { force: true })
  }
}

/** What the latest version holds; undefined where there is none, or it was deleted. Throws {@link BUSY}. */
export async function readLatest(
  place: string,
): Promise<{ readonly bytes: Buffer; readonly version: number } | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { number } = await latestOf(place)
    if (number === 0) return undefined
    const bytes = await readFile(`${place}@${number}`).catch(absent)
    if (bytes !== undefined && bytes.length > 0) return { bytes, version: number }
    // It is empty because it was deleted, or because it has just been replaced.
    if (bytes !== undefined && (await latestOf(place)).number === number) return undefined
  }
  throw BUSY
}

/**
 * The number of the latest version, 0 when there never was one, and its size on disk: 0 where it stands for nothing.
 */
export async function latestOf(place: string): Promise<{ readonly number: number; readonly size: number }> {
  for (;;) {
    const names = (await readdir(dirname(place)).catch(absent)) ?? []
    const start = `${place.slice(dirname(place).length + 1)}@`
    const versions = names.filter((name) => name.startsWith(start)).map((name) => Number(name.slice(start.length)))
    const number = Math.max(0, ...versions.filter(Number.isSafeInteger))
    if (number === 0) return { number, size: 0 }
    const facts = await stat(`${place}@${number}`).catch(absent)
    if (facts !== undefined) return { number, size: facts.size }
  }
}

async function writeNew(file: string, bytes: readonly Uint8Array[]): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    try {
      return await writeFile(file, [...bytes], { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Somebody removed the folder, since there was nothing in it yet.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  throw BUSY
}

/** Empties a version that was replaced, for readers in one step, and forgets one long before it. */
async function bury(place: string, number: number): Promise<void> {
  const empty = `${place}.${randomBytes(6).toString('hex')}@empty`
  await writeFile(empty, '', { mode: 0o600, flag: 'wx' })
  await rename(empty, `${place}@${number}`)
  await rm(`${place}@${number - KEPT}`, { force: true })
}

/** Whether it was made; false where somebody was quicker. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}
