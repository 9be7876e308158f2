/**
 * The files that an external plugin keeps with the host: each with a version that only grows, changed by compare and
 * swap.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReceivedRequest } from '@callboard/sdk/external'
import { CallboardError } from '../../errors.ts'
import { patternMatcher } from '../../tools/pattern.ts'
import { absent } from './absent.ts'
import { BUSY, latestOf, makeVersion, readLatest, type Written } from './file-versions.ts'
import { FolderQuota, NAME_BYTES } from './folder-quota.ts'

/** Any JSON object. */
type Metadata = Extract<ReceivedRequest, { case: 'storageWrite' }>['value']['metadata']

const NEWLINE = 0x0a
/** What a file system takes for a name, with room for the version. */
const MAX_NAME_BYTES = 200
/** Of a path, each but the last a folder. */
const MAX_PARTS = 16
/** How much a plugin may keep of which nobody says more. */
const DEFAULT_LIMIT = 100 * 1024 * 1024

export interface PluginFile {
  readonly content: Uint8Array
  readonly metadata: Metadata
  readonly version: number
}

export interface FileEntry {
  readonly path: string
  /** Of its content, in bytes. */
  readonly size: number
  readonly version: number
  readonly modifiedAt: Date
}

/**
 * A file is one on disk for its latest version: `notes/a.md` in version 3 is `notes/a.md@3`, with a line of JSON before
 * its content. A version is made by the one who first links its name, so that of hosts in different processes never
 * both win. What is empty stands for nothing: a version that was replaced, or, as the latest one, a file that was
 * deleted. So versions grow over a deletion, too, also when nothing is left of it: see `floorOf`. Paths have `/`
 * between their parts. Throws `CallboardError` (`usage`) for a path that is none, and `denied` for what takes more room
 * than there is.
 */
export class PluginFiles {
  readonly #folder: string
  readonly #quota: FolderQuota

  /** @param limit how many bytes all files may take, names and all */
  constructor(folder: string, limit: number = DEFAULT_LIMIT) {
    this.#folder = folder
    this.#quota = new FolderQuota(folder, limit)
  }

  /** Undefined when there is none. */
  async read(path: string): Promise<PluginFile | undefined> {
    const latest = await readLatest(this.#placeOf(path)).catch((error: unknown) => {
      throw inWords(error, path)
    })
    return latest && { ...parse(latest.bytes), version: latest.version }
  }

  /** @param expected 0: only if there is none; more: only if that is its version; -1: in any case */
  async write(path: string, { content, metadata }: Omit<PluginFile, 'version'>, expected: number): Promise<Written> {
    const bytes = [Buffer.from(`${JSON.stringify({ metadata })}\n`), content]
    return await this.#replace(path, bytes, (version) => expected === -1 || version === expected)
  }

  /** Whether there was one. */
  async delete(path: string): Promise<boolean> {
    return (await this.#replace(path, [], (version) => version > 0)).outcome === 'written'
  }

  /**
   * Those whose path begins with `prefix` and whose last part fits the pattern, in which `*` stands for any run of
   * characters; sorted.
   */
  async list(prefix: string, pattern: string): Promise<readonly FileEntry[]> {
    const fits = patternMatcher([pattern === '' ? '*' : pattern])
    const latest = new Map<string, { readonly file: string; readonly version: number }>()
    const names = (await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
    for (const entry of names) {
      const [, name, digits] = /^(.+)@(\d+)$/.exec(entry.name) ?? []
      if (!entry.isFile() || name === undefined || !fits(decodeURIComponent(name))) continue
      const folder = entry.parentPath.slice(this.#folder.length + 1).split(/[\\/]/)
      const path = [...folder.filter((part) => part !== ''), name].map(decodeURIComponent).join('/')
      const version = Number(digits)
      if (path.startsWith(prefix) && version > (latest.get(path)?.version ?? 0))
        latest.set(path, { file: join(entry.parentPath, entry.name), version })
    }
    const entries = await Promise.all(
      [...latest].map(async ([path, { file, version }]) => entryOf(path, file, version)),
    )
    return entries.filter((entry) => entry !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Makes the next version of these bytes, if the one that is there, 0 for none, is as it should be. */
  async #replace(path: string, bytes: readonly Uint8Array[], isRight: (version: number) => boolean): Promise<Written> {
    const place = this.#placeOf(path)
    const size = bytes.reduce((sum, { length }) => sum + length, NAME_BYTES)
    // What is deleted needs no room, whatever there is left.
    const isDeleted = bytes.length === 0
    const missing = isDeleted ? 0 : await this.#missingFolders(place)
    const asked = isDeleted ? 0 : size + missing * NAME_BYTES - (await latestOf(place)).size
    await this.#quota.reserve(asked)
    let added = 0
    try {
      const { replaced, ...written } = await makeVersion({ folder: this.#folder, place, bytes, isRight })
      if (written.outcome === 'written') added = size - replaced
      return written
    } catch (error) {
      throw inWords(error, path)
    } finally {
      // Folders stay, whatever became of the file.
      const made = missing === 0 ? 0 : missing - (await this.#missingFolders(place))
      this.#quota.settle(asked, added + made * NAME_BYTES)
    }
  }

  /** How many of the folders on the way to it are not there. */
  async #missingFolders(place: string): Promise<number> {
    let missing = 0
    for (let folder = dirname(place); folder !== this.#folder; folder = dirname(folder)) {
      if ((await stat(folder).catch(absent)) !== undefined) break
      missing += 1
    }
    return missing
  }

  #placeOf(path: string): string {
    const parts = path.split('/').map((part) => encodeURIComponent(part.toWellFormed()))
    const isBad = (part: string): boolean => /^(?:\.\.?)?$/.test(part) || part.length > MAX_NAME_BYTES
    if (parts.some(isBad) || parts.length > MAX_PARTS || path.length > 1_000)
      throw new CallboardError(
        'usage',
        `${JSON.stringify(path.slice(0, 100))} is no path of a file; expected one such as notes/today.md, without . and .., and of at most ${MAX_PARTS} parts`,
      )
    // Folders never end as files do, so `a` may be one and a file besides.
    return join(this.#folder, ...parts)
  }
}

/** Undefined for one that stands for nothing. */
async function entryOf(path: string, file: string, version: number): Promise<FileEntry | undefined> {
  const facts = await stat(file).catch(absent)
  if (facts === undefined || facts.size === 0) return undefined
  const bytes = await readFile(file).catch(absent)
  if (bytes === undefined) return undefined
  return { path, version, size: facts.size - (bytes.indexOf(NEWLINE) + 1), modifiedAt: facts.mtime }
}

function inWords(error: unknown, path: string): unknown {
  if (error !== BUSY) return error
  return new CallboardError('unavailable', `"${path}" changes all the time; try again later`)
}

function parse(bytes: Buffer): Omit<PluginFile, 'version'> {
  const end = bytes.indexOf(NEWLINE)
  const { metadata }: { readonly metadata?: Metadata } = JSON.parse(bytes.subarray(0, end).toString('utf8'))
  return { content: bytes.subarray(end + 1), metadata }
}
