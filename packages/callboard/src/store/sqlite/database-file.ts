/** The file behind the store: opened for several processes, private to its user, and put aside when it is damaged. */
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CallboardError, messageOf } from '../../errors.ts'
import { migrate } from './schema.ts'

/** How long opening waits for other processes that open the same file, in milliseconds. */
const OPEN_TIMEOUT_MS = 5_000
/** How long a statement waits for another process. Short, since the whole process waits with it. */
const BUSY_TIMEOUT_MS = 250
/** Several processes may find the damage at once, and one of them puts the file aside. */
const ATTEMPTS = 3

/** SQLite's result codes for a file that can't be read as a database. */
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

class DamagedError extends Error {}

/**
 * Opens the file, which is made (0600, in a folder that is made with 0700) when it is not there. A damaged file is
 * renamed to `{file}.damaged-{milliseconds}`, a new one takes its place, and `warn` is told. Throws `CallboardError`
 * when the file can't be opened for another reason.
 */
export function openDatabaseFile(file: string, warn: (message: string) => void): DatabaseSync {
  for (let attempt = 1; ; attempt++) {
    const inode = prepareFile(file, warn)
    try {
      return openDatabase(file)
    } catch (error) {
      if (error instanceof CallboardError) throw error
      if (!(error instanceof DamagedError) || attempt === ATTEMPTS)
        throw new CallboardError('internal', `can't open the store "${file}": ${messageOf(error)}`, { cause: error })
      putAside(file, inode, error, warn)
    }
  }
}

/** Makes the file and its folder private. SQLite gives the files that it puts beside it the same mode. */
function prepareFile(file: string, warn: (message: string) => void): bigint {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    warnOfOpenFolder(dirname(file), warn)
    closeSync(openSync(file, 'a', 0o600))
    const { ino, mode } = statSync(file, { bigint: true })
    if ((mode & 0o077n) !== 0n) chmodSync(file, 0o600)
    return ino
  } catch (error) {
    throw new CallboardError(
      'config',
      `can't write the store "${file}": ${messageOf(error)}; set dataDir to a folder that you may write`,
      { cause: error },
    )
  }
}

/** A folder that was there already is its owner's: its mode is not changed, but told. */
function warnOfOpenFolder(folder: string, warn: (message: string) => void): void {
  const open = statSync(folder).mode & 0o077
  if (process.platform === 'win32' || open === 0) return
  warn(`the data folder "${folder}" is open to other users of this machine; close it with: chmod 700 ${folder}`)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    const [first] = database.prepare('PRAGMA quick_check(1)').all()
    // The finding has line breaks in it.
    if (first?.quick_check !== 'ok') throw new DamagedError(String(first?.quick_check).replaceAll('\n', ' '))
    migrate(database, file)
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw isDamage(error) ? new DamagedError(messageOf(error), { cause: error }) : error
  }
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  // The low byte is the kind of error, the rest says more of it.
  const code = Number(error.errcode) & 0xff
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/** Does nothing when the file is no longer the one that was found damaged. */
function putAside(file: string, inode: bigint, damage: DamagedError, warn: (message: string) => void): void {
  const aside = `${file}.damaged-${Date.now()}`
  try {
    if (statSync(file, { bigint: true }).ino !== inode) return
    // The journal goes first and with the file: beside a new one, it would be played back into that.
    for (const suffix of ['-wal', '-shm', '']) renameIfThere(`${file}${suffix}`, `${aside}${suffix}`)
  } catch (error) {
    if (isAbsence(error)) return
    const reason = `the store "${file}" is damaged and can't be renamed`
    throw new CallboardError('internal', `${reason}: ${messageOf(error)}; end what holds it and remove it`, {
      cause: error,
    })
  }
  warn(`the store "${file}" was damaged (${damage.message}); it is kept as "${aside}", and a new one was begun`)
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
