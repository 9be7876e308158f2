/**
 * The audit in plain files: a line of JSON for each row, at the end of the day's file. A row in SQLite costs a call
 * five to ten times as much (eight system calls for each commit, and every thousand commits the event loop waits for
 * the disk), while to append to a file takes one system call, waits for nobody, and is as safe from the death of the
 * process.
 */
import type { AuditStore } from '../audit-store.ts'
import { inJournal } from './journal-errors.ts'
import { JournalFollower } from './journal-follower.ts'
import { JournalReader } from './journal-reader.ts'
import { JournalWriter } from './journal-writer.ts'
import { pruneJournal } from './prune-journal.ts'

/** The audit in this folder, which the first row makes. */
export function createJournalAuditStore(folder: string): AuditStore {
  const writer = new JournalWriter(folder)
  const reader = new JournalReader(folder)
  return {
    append: (rows) => writer.append(rows),
    before: (place) => inJournal(folder, 'read', reader.before(place)),
    after: (place) => inJournal(folder, 'read', reader.after(place)),
    follow: (place) => new JournalFollower(folder, place),
    prune: (bounds) => inJournal(folder, 'prune', pruneJournal(folder, bounds)),
    [Symbol.dispose]: () => writer[Symbol.dispose](),
  }
}
