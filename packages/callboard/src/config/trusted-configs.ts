/** The configs that this person trusts, each as it was then: one small file for each, in the person's own data root. */
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CallboardError, messageOf } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { configHash, dataRoot } from './data-dir.ts'

/** One config that is trusted as long as its digest is still this. */
export interface TrustRecord {
  /** Absolute, with the links to its folder followed: however one comes to a folder, it is the same. */
  readonly file: string
  readonly digest: string
  /** When it was trusted, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * Outside every data folder, because a config may choose that itself. Records are read anew each time, so what another
 * process trusts or revokes counts at once; a record that can't be read is none.
 */
export class TrustedConfigs {
  readonly #folder: string

  constructor(env: Readonly<Record<string, string | undefined>>, home: string) {
    this.#folder = join(dataRoot(env, home), 'trusted')
  }

  /** What is known of the config at this path. */
  find(file: string): TrustRecord | undefined {
    const record = readRecord(this.recordFile(file))
    return record?.file === withRealFolder(file) ? record : undefined
  }

  /** Trusts the config as it is now, instead of what it was before. Throws `config` when that can't be written down. */
  add(file: string, digest: string): TrustRecord {
    const record: TrustRecord = { file: withRealFolder(file), digest, since: Date.now() }
    const path = this.recordFile(file)
    const written = `${path}.${process.pid}`
    try {
      makeFolder(this.#folder)
      writeFileSync(written, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      renameSync(written, path)
    } catch (cause) {
      const why = `can't write down that ${file} is trusted: ${messageOf(cause)}`
      throw new CallboardError('config', `${why}; make ${this.#folder} a folder that you may write`, { cause })
    }
    return record
  }

  /** Whether there was something to take back. Throws `config` when it can't be. */
  remove(file: string): boolean {
    const known = this.find(file) !== undefined
    const path = this.recordFile(file)
    try {
      rmSync(path, { force: true })
    } catch (cause) {
      throw new CallboardError('config', `can't take the trust in ${file} back: ${messageOf(cause)}; remove ${path}`, {
        cause,
      })
    }
    return known
  }

  /** Every record, sorted by path. */
  all(): readonly TrustRecord[] {
    return namesIn(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readRecord(join(this.#folder, name)) ?? [])
      .sort((a, b) => (a.file < b.file ? -1 : 1))
  }

  /** Where it stands what is known of the config at this path. */
  recordFile(file: string): string {
    return join(this.#folder, `${configHash(withRealFolder(file))}.json`)
  }
}

function withRealFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing was ever trusted, or nothing can be read; both mean that nothing is.
    return []
  }
}

function readRecord(path: string): TrustRecord | undefined {
  try {
    const { file, digest, since } = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof file !== 'string' || typeof digest !== 'string' || typeof since !== 'number') return undefined
    return { file, digest, since }
  } catch {
    // What can't be read trusts nothing.
    return undefined
  }
}
