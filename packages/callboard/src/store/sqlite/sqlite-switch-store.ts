/** The switches in SQLite: a row for each thing that is switched off. */
import type { DatabaseSync } from 'node:sqlite'
import type { SwitchedOff, SwitchStore } from '../switch-store.ts'
import { inDatabase, type RowsOptions } from './rows.ts'

/** Prepares the statements once; the caller closes the database. */
export function createSqliteSwitchStore(database: DatabaseSync, options: RowsOptions): SwitchStore {
  const select = database.prepare('SELECT kind, name, public_name, since FROM switched_off ORDER BY name')
  const insert = database.prepare(
    'INSERT INTO switched_off (kind, name, public_name, since) VALUES (?, ?, ?, ?) ON CONFLICT (kind, name) DO NOTHING',
  )
  const remove = database.prepare('DELETE FROM switched_off WHERE kind = ? AND name = ?')
  // Changes with each commit of another connection to the file.
  const dataVersion = database.prepare('PRAGMA data_version')
  let seen = dataVersion.get()?.data_version
  return {
    all: () => inDatabase(options, 'look up the switches', () => select.all()).map(switchedOff),
    switchOff({ kind, name, publicName, since }) {
      inDatabase(options, `keep that ${kind} "${name}" is switched off`, () =>
        insert.run(kind, name, publicName ?? null, Math.round(since)),
      )
    },
    switchOn(kind, name) {
      inDatabase(options, `keep that ${kind} "${name}" is switched on`, () => remove.run(kind, name))
    },
    changedElsewhere() {
      const now = inDatabase(options, 'look for changes', () => dataVersion.get()?.data_version)
      const isOther = now !== seen
      seen = now
      return isOther
    },
  }
}

function switchedOff(row: Readonly<Record<string, unknown>>): SwitchedOff {
  return {
    kind: row.kind === 'plugin' ? 'plugin' : 'tool',
    name: String(row.name),
    ...(typeof row.public_name === 'string' && { publicName: row.public_name }),
    since: Number(row.since),
  }
}
