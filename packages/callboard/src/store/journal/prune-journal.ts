/** Deletes the files of the audit that are too old, and the oldest while all are too large. */
import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditBounds } from '../audit-store.ts'
import { endOfFile, isAbsence, journalFiles } from './journal-files.ts'

/**
 * Somebody may be writing to the newest file, so that stays while its day lasts. Another process may do the same at the
 * same time.
 */
export async function pruneJournal(folder: string, { endedBefore, maxBytes }: AuditBounds): Promise<void> {
  let room = maxBytes
  for (const [index, name] of (await journalFiles(folder)).toReversed().entries()) {
    const file = join(folder, name)
    room -= (await stat(file).catch(absent))?.size ?? 0
    const isTooOld = endOfFile(name) <= endedBefore
    if (isTooOld || (room < 0 && index > 0)) await unlink(file).catch(absent)
  }
}

function absent(error: unknown): undefined {
  if (!isAbsence(error)) throw error
}
