/** The tables of the store, and how a file of an earlier version comes to have them. */
import type { DatabaseSync } from 'node:sqlite'
import { CallboardError } from '../../errors.ts'
import { inTransaction } from './rows.ts'

/**
 * What brings a file from each version to the next; `PRAGMA user_version` says how many have been done. One that has
 * been released is never changed.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE tool_list (
     plugin_id TEXT PRIMARY KEY,
     fingerprint TEXT NOT NULL,
     listed_at INTEGER NOT NULL,
     tools TEXT NOT NULL,
     hints TEXT
   ) STRICT;
   CREATE TABLE plugin_storage (
     plugin_id TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (plugin_id, key)
   ) STRICT;`,
  `CREATE TABLE switched_off (
     kind TEXT NOT NULL CHECK (kind IN ('plugin', 'tool')),
     name TEXT NOT NULL,
     public_name TEXT,
     since INTEGER NOT NULL,
     PRIMARY KEY (kind, name)
   ) STRICT;`,
  `CREATE TABLE user (
     name TEXT PRIMARY KEY,
     roles TEXT NOT NULL,
     disabled INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE role (
     name TEXT PRIMARY KEY,
     permissions TEXT NOT NULL
   ) STRICT;
   CREATE TABLE token (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     user TEXT NOT NULL,
     hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     permissions TEXT
   ) STRICT;
   CREATE TABLE people_revision (number INTEGER NOT NULL) STRICT;
   INSERT INTO people_revision VALUES (0);
   ${['user', 'role'].flatMap((table) => ['INSERT', 'UPDATE', 'DELETE'].map((change) => revisionTrigger(table, change))).join('\n')}`,
  // What is known of tools is read from their servers again.
  `DROP TABLE tool_list;
   CREATE TABLE tool_list (
     plugin_id TEXT PRIMARY KEY,
     fingerprint TEXT NOT NULL,
     listed_at INTEGER NOT NULL,
     hints TEXT
   ) STRICT;
   CREATE TABLE listed_tool (
     plugin_id TEXT NOT NULL,
     name TEXT NOT NULL,
     tool TEXT NOT NULL,
     UNIQUE (plugin_id, name)
   ) STRICT;`,
]

/** Has every change of a table counted, by whatever it is made. */
function revisionTrigger(table: string, change: string): string {
  const name = `${table}_${change}_counted`
  return `CREATE TRIGGER ${name} AFTER ${change} ON ${table} BEGIN UPDATE people_revision SET number = number + 1; END;`
}

/**
 * Brings the database to the newest version; several processes may do so at once. Throws `CallboardError` (`config`)
 * for a file of a later version than this program knows, and leaves that untouched.
 */
export function migrate(database: DatabaseSync, file: string): void {
  if (versionOf(database, file) === MIGRATIONS.length) return
  inTransaction(database, () => {
    // Another process may have done it while this one waited for its turn.
    for (const migration of MIGRATIONS.slice(versionOf(database, file))) database.exec(migration)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}

function versionOf(database: DatabaseSync, file: string): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > MIGRATIONS.length) {
    const known = `this callboard knows versions up to ${MIGRATIONS.length}`
    const mend = 'update callboard, or give it another dataDir'
    throw new CallboardError('config', `the store "${file}" has version ${version}, and ${known}; ${mend}`)
  }
  return version
}
