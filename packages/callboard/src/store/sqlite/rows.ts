/** What every table of the store has in common: errors that name the file, and rows that can't be read are dropped. */
import { CallboardError, messageOf } from '../../errors.ts'

/** Where the rows are, and who is told of those that are dropped. */
export interface RowsOptions {
  readonly file: string
  readonly warn: (message: string) => void
}

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
