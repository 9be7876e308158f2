/** The files that an external plugin keeps with the host: each with a version that only grows, changed by compare and swap. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReceivedRequest } from '@callboard/sdk/external'
import { CallboardError } from '../../errors.ts'
import { patternMatcher } from '../../tools/pattern.ts'

/** Any JSON object. */
type Metadata = Extract<ReceivedRequest, { case: 'storageWrite' }>['value']['metadata']

const NEWLINE = 0x0a
/** What a file system takes for a name, with room for the version. */
const MAX_NAME_BYTES = 200
/** How often a file may change under a reader before that is more than others at work. */
const MAX_TRIES = 100

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

export type Written =
  | { readonly outcome: 'written'; readonly version: number }
  /** It has another version than was expected; 0 when there is none. */
  | { readonly outcome: 'conflict'; readonly version: number }

/**
 * A file is one on disk for its latest version: `notes/a.md` in version 3 is `notes/a.md@3`, with a line of JSON before its
 * content. A version is made by the one who first links its name, so also hosts in different processes never both win.
 * Paths have `/` between their parts. Throws `CallboardError` (`usage`) for a path that is none.
 */
export class PluginFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined when there is none. */
  async read(path: string): Promise<PluginFile | undefined> {
    const place = this.#placeOf(path)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const version = await latestOf(place)
      if (version === 0) return undefined
      const bytes = await readFile(`${place}@${version}`).catch(absent)
      if (bytes !== undefined) return { ...parse(bytes), version }
    }
    throw new CallboardError('unavailable', `"${path}" changes all the time; read it again later`)
  }

  /** @param expected 0: only if there is none; more: only if that is its version; -1: in any case */
  async write(path: string, { content, metadata }: Omit<PluginFile, 'version'>, expected: number): Promise<Written> {
    const place = this.#placeOf(path)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    const fresh = `${place}.${randomBytes(6).toString('hex')}@new`
    await writeFile(fresh, [Buffer.from(`${JSON.stringify({ metadata })}\n`), content], { mode: 0o600, flag: 'wx' })
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const version = await latestOf(place)
        if (expected !== -1 && version !== expected) return { outcome: 'conflict', version }
        if (!(await linkNew(fresh, `${place}@${version + 1}`))) continue
        await rm(`${place}@${version}`, { force: true })
        return { outcome: 'written', version: version + 1 }
      }
      throw new CallboardError('unavailable', `"${path}" changes all the time; write it again later`)
    } finally {
      await rm(fresh, { force: true })
    }
  }

  /** Whether there was one. */
  async delete(path: string): Promise<boolean> {
    const place = this.#placeOf(path)
    const version = await latestOf(place)
    if (version === 0) return false
    await rm(`${place}@${version}`, { force: true })
    return true
  }

  /** Those whose path begins with `prefix` and whose last part fits the pattern, in which `*` stands for any run of characters; sorted. */
  async list(prefix: string, pattern: string): Promise<readonly FileEntry[]> {
    const fits = patternMatcher([pattern === '' ? '*' : pattern])
    const names = (await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
    const entries = new Map<string, FileEntry>()
    for (const entry of names) {
      const [, name, digits] = /^(.+)@(\d+)$/.exec(entry.name) ?? []
      if (!entry.isFile() || name === undefined) continue
      const folder = entry.parentPath.slice(this.#folder.length + 1).split(/[\\/]/)
      const path = [...folder.filter((part) => part !== ''), name].map(decodeURIComponent).join('/')
      const version = Number(digits)
      if (!path.startsWith(prefix) || !fits(decodeURIComponent(name)) || (entries.get(path)?.version ?? 0) > version)
        continue
      const file = join(entry.parentPath, entry.name)
      const facts = await stat(file).catch(absent)
      const head = await headBytesOf(file)
      if (facts !== undefined && head !== undefined)
        entries.set(path, { path, version, size: facts.size - head, modifiedAt: facts.mtime })
    }
    return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  #placeOf(path: string): string {
    const parts = path.split('/').map((part) => encodeURIComponent(part.toWellFormed()))
    const isBad = (part: string): boolean => /^(?:\.\.?)?$/.test(part) || part.length > MAX_NAME_BYTES
    if (parts.some(isBad) || path.length > 1_000)
      throw new CallboardError(
        'usage',
        `${JSON.stringify(path.slice(0, 100))} is no path of a file; expected one such as notes/today.md, without . and ..`,
      )
    // Folders never end as files do, so `a` may be one and a file besides.
    return join(this.#folder, ...parts)
  }
}

/** 0 when there is none. */
async function latestOf(place: string): Promise<number> {
  const names = (await readdir(dirname(place)).catch(absent)) ?? []
  const start = `${place.slice(dirname(place).length + 1)}@`
  const versions = names.filter((name) => name.startsWith(start)).map((name) => Number(name.slice(start.length)))
  return Math.max(0, ...versions.filter(Number.isSafeInteger))
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

function parse(bytes: Buffer): Omit<PluginFile, 'version'> {
  const end = bytes.indexOf(NEWLINE)
  const { metadata }: { readonly metadata?: Metadata } = JSON.parse(bytes.subarray(0, end).toString('utf8'))
  return { content: bytes.subarray(end + 1), metadata }
}

async function headBytesOf(file: string): Promise<number | undefined> {
  const bytes = await readFile(file).catch(absent)
  return bytes && bytes.indexOf(NEWLINE) + 1
}

function absent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
