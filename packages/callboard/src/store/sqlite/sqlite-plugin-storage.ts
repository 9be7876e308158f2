/** What plugins remember, in SQLite: one row a key. */
import type { DatabaseSync } from 'node:sqlite'
import { CallboardError, messageOf } from '../../errors.ts'
import type { PluginStorageStore } from '../store.ts'
import { inDatabase, type RowsOptions, readRow } from './rows.ts'

/** Prepares the statements once; the caller closes the database. */
export function createSqlitePluginStorage(database: DatabaseSync, options: RowsOptions): PluginStorageStore {
  const select = database.prepare('SELECT value FROM plugin_storage WHERE plugin_id = ? AND key = ?')
  const upsert = database.prepare(
    `INSERT INTO plugin_storage (plugin_id, key, value) VALUES (?, ?, ?)
     ON CONFLICT (plugin_id, key) DO UPDATE SET value = excluded.value`,
  )
  const remove = database.prepare('DELETE FROM plugin_storage WHERE plugin_id = ? AND key = ?')
  const nameOf = (pluginId: string, key: string) => `${JSON.stringify(key)} of plugin "${pluginId}"`
  const forget = (pluginId: string, key: string) => {
    inDatabase(options, `delete ${nameOf(pluginId, key)}`, () => remove.run(pluginId, key))
  }
  return {
    get(pluginId, key) {
      const name = nameOf(pluginId, key)
      const row = inDatabase(options, `look up ${name}`, () => select.get(pluginId, key))
      if (row === undefined) return undefined
      return readRow<unknown>(
        options,
        `the value ${name}`,
        () => JSON.parse(String(row.value)),
        () => forget(pluginId, key),
      )
    },
    set(pluginId, key, value) {
      if (value === undefined) return forget(pluginId, key)
      const name = nameOf(pluginId, key)
      const text = jsonOf(value, name)
      inDatabase(options, `keep ${name}`, () => upsert.run(pluginId, key, text))
    },
  }
}

function jsonOf(value: unknown, name: string): string {
  try {
    // The type leaves it out, but a function or a symbol has no JSON.
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON`)
    return text
  } catch (error) {
    throw new CallboardError('usage', `the value ${name} has to be JSON: ${messageOf(error)}`, { cause: error })
  }
}
