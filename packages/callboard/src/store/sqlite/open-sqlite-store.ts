/** The store in one SQLite file, which several processes may have open at once. */
import { CallboardError, messageOf } from '../../errors.ts'
import type { Store } from '../store.ts'
import { openDatabaseFile } from './database-file.ts'
import { createSqlitePeople } from './sqlite-people.ts'
import { createSqlitePluginStorage } from './sqlite-plugin-storage.ts'
import { createSqliteSwitchStore } from './sqlite-switch-store.ts'
import { createSqliteTokens } from './sqlite-tokens.ts'
import { createSqliteToolLists } from './sqlite-tool-lists.ts'

/**
 * Opens the file, or makes it with its folder. A row that can't be read is dropped, and `warn` is told. Throws
 * `CallboardError` when the file is damaged or can't be written (`config`), is of a later
 * version of the program (`config`) or SQLite has another reason (`internal`); the store's methods throw `internal`.
 * Every method waits for the disk, and for another process for a quarter of a second at most.
 */
export function openSqliteStore(file: string, warn: (message: string) => void): Store {
  const database = openDatabaseFile(file, warn)
  const close = () => {
    if (database.isOpen) database.close()
  }
  try {
    return {
      toolLists: createSqliteToolLists(database, { file, warn }),
      pluginStorage: createSqlitePluginStorage(database, { file, warn }),
      switches: createSqliteSwitchStore(database, { file, warn }),
      people: createSqlitePeople(database, { file, warn }),
      tokens: createSqliteTokens(database, { file, warn }),
      [Symbol.dispose]: close,
    }
  } catch (error) {
    close()
    throw new CallboardError('config', `"${file}" is no store of callboard: ${messageOf(error)}; move it away`, {
      cause: error,
    })
  }
}
