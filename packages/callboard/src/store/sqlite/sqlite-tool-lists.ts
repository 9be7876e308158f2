/** The last known tool lists in SQLite: one row a plugin. */
import type { DatabaseSync } from 'node:sqlite'
import type { ToolDefinition } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'
import type { ToolList, ToolListStore } from '../store.ts'
import { inDatabase, type RowsOptions, readRow } from './rows.ts'

/** Prepares the statements once; the caller closes the database. */
export function createSqliteToolLists(database: DatabaseSync, options: RowsOptions): ToolListStore {
  const select = database.prepare(
    'SELECT listed_at, tools, hints FROM tool_list WHERE plugin_id = ? AND fingerprint = ?',
  )
  const upsert = database.prepare(
    `INSERT INTO tool_list (plugin_id, fingerprint, listed_at, tools, hints) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (plugin_id) DO UPDATE SET
       fingerprint = excluded.fingerprint, listed_at = excluded.listed_at,
       tools = excluded.tools, hints = excluded.hints`,
  )
  const remove = database.prepare('DELETE FROM tool_list WHERE plugin_id = ?')
  const drop = (pluginId: string) => {
    inDatabase(options, `delete the tools of plugin "${pluginId}"`, () => remove.run(pluginId))
  }
  return {
    get(pluginId, fingerprint) {
      const row = inDatabase(options, `look up the tools of plugin "${pluginId}"`, () =>
        select.get(pluginId, fingerprint),
      )
      if (row === undefined) return undefined
      return readRow(
        options,
        `the tool list of plugin "${pluginId}"`,
        () => toolListOf(row),
        () => drop(pluginId),
      )
    },
    put(pluginId, fingerprint, { tools, listedAt, hints }) {
      const hintsText = hints === undefined ? null : JSON.stringify(hints)
      inDatabase(options, `keep the tools of plugin "${pluginId}"`, () =>
        upsert.run(pluginId, fingerprint, Math.round(listedAt), JSON.stringify(tools), hintsText),
      )
    },
    delete: drop,
  }
}

function toolListOf(row: Readonly<Record<string, unknown>>): ToolList {
  const tools: unknown = JSON.parse(String(row.tools))
  if (!Array.isArray(tools) || !tools.every(isToolDefinition)) throw new Error('expected a list of tools')
  const listedAt = Number(row.listed_at)
  if (row.hints === null) return { tools, listedAt }
  const hints: unknown = JSON.parse(String(row.hints))
  if (!isObject(hints)) throw new Error('expected an object of hints')
  return { tools, listedAt, hints }
}

/** Only what no tool can be without: the fingerprint and the schema's version vouch for the rest. */
function isToolDefinition(value: unknown): value is ToolDefinition {
  return isObject(value) && ['package', 'name', 'action'].every((field) => typeof value[field] === 'string')
}
