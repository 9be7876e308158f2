/** Errors of the audit's files, in words that name the folder. */
import { CallboardError, messageOf } from '../../errors.ts'

/** The error of a thing that can't be done in the folder. */
export function journalError(folder: string, purpose: string, cause: unknown): CallboardError {
  return new CallboardError('internal', `can't ${purpose} the audit in "${folder}": ${messageOf(cause)}`, { cause })
}

/** What the work resolves to. Rejects with `CallboardError` (`internal`) for what the file system does not do. */
export async function inJournal<T>(folder: string, purpose: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw journalError(folder, purpose, error)
  }
}
