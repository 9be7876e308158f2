/** What every table of the store has in common: errors that name the file, and rows that can't be read are dropped. */
import type { DatabaseSync } from 'node:sqlite'
import { CallboardError, messageOf } from '../../errors.ts'

/** Where the rows are, and who is told of those that are dropped. */
export interface RowsOptions {
  readonly file: string
  readonly warn: (message: string) => void
}

/** One row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>

/** Does a thing in the database. Throws `CallboardError` (`internal`) with what was to be done when SQLite can't. */
export function inDatabase<T>({ file }: RowsOptions, purpose: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new CallboardError('internal', `can't ${purpose} in the store "${file}": ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** Makes all the changes of `run`, or none where it throws, and answers what it does. */
export function inTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const outcome = run()
    database.exec('COMMIT')
    return outcome
  } catch (error) {
    // Some errors have ended the transaction already, and a second error must not hide the first.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The value of a row, or undefined once a row that can't be read has been told and dropped. */
export function readRow<T>({ file, warn }: RowsOptions, what: string, read: () => T, drop: () => void): T | undefined {
  try {
    return read()
  } catch (error) {
    warn(`${what} in the store "${file}" can't be read and is dropped: ${messageOf(error)}`)
    drop()
    return undefined
  }
}

/** How the rows of a table are had, read, and dropped where they can't be read. */
interface RowReading<T> {
  readonly rows: () => readonly Row[]
  readonly read: (row: Row) => T
  readonly drop: (row: Row) => void
}

/** The values of all rows of a table but those that can't be read, which are told and dropped. */
export function readRows<T>(options: RowsOptions, what: string, { rows, read, drop }: RowReading<T>): readonly T[] {
  return inDatabase(options, `list each ${what}`, rows).flatMap(
    (row) =>
      readRow(
        options,
        `the ${what} "${row.name}"`,
        () => read(row),
        () => drop(row),
      ) ?? [],
  )
}

/** A list of texts that was kept as JSON. Throws for anything else. */
export function parseTexts(json: unknown): readonly string[] {
  const texts: unknown = JSON.parse(String(json))
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts
  throw new Error('expected a list of texts')
}
