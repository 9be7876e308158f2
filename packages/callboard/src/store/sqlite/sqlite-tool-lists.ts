/** The last known tool lists in SQLite: one row a plugin, and one for each of its tools. */
import type { DatabaseSync } from 'node:sqlite'
import type { ToolDefinition } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'
import type { ToolList, ToolListStore } from '../store.ts'
import { inDatabase, inTransaction, type Row, type RowsOptions, readRow } from './rows.ts'

/** Prepares the statements once; the caller closes the database. */
export function createSqliteToolLists(database: DatabaseSync, options: RowsOptions): ToolListStore {
  const select = database.prepare('SELECT fingerprint, listed_at, hints FROM tool_list WHERE plugin_id = ?')
  const selectTools = database.prepare('SELECT tool FROM listed_tool WHERE plugin_id = ? ORDER BY rowid')
  const upsert = database.prepare(
    `INSERT INTO tool_list (plugin_id, fingerprint, listed_at, hints) VALUES (?, ?, ?, ?)
     ON CONFLICT (plugin_id) DO UPDATE SET
       fingerprint = excluded.fingerprint, listed_at = excluded.listed_at, hints = excluded.hints`,
  )
  const upsertTool = database.prepare(
    `INSERT INTO listed_tool (plugin_id, name, tool) VALUES (?, ?, ?)
     ON CONFLICT (plugin_id, name) DO UPDATE SET tool = excluded.tool`,
  )
  const remove = database.prepare('DELETE FROM tool_list WHERE plugin_id = ?')
  const removeTools = database.prepare('DELETE FROM listed_tool WHERE plugin_id = ?')
  const removeTool = database.prepare('DELETE FROM listed_tool WHERE plugin_id = ? AND name = ?')
  const drop = (pluginId: string) => {
    inDatabase(options, `delete the tools of plugin "${pluginId}"`, () =>
      inTransaction(database, () => {
        remove.run(pluginId)
        removeTools.run(pluginId)
      }),
    )
  }
  return {
    get(pluginId, fingerprint) {
      const found = inDatabase(options, `look up the tools of plugin "${pluginId}"`, () => {
        const row = select.get(pluginId)
        return row?.fingerprint === fingerprint ? { row, tools: selectTools.all(pluginId) } : undefined
      })
      if (found === undefined) return undefined
      return readRow(
        options,
        `the tool list of plugin "${pluginId}"`,
        () => toolListOf(found.row, found.tools),
        () => drop(pluginId),
      )
    },
    change(pluginId, fingerprint, { put, removed, listedAt, hints, begins = false, goesOn = false }) {
      const hintsText = hints === undefined ? null : JSON.stringify(hints)
      const texts = put.map((tool) => [nameOf(tool), JSON.stringify(tool)] as const)
      const partly = inPart(fingerprint)
      return inDatabase(options, `keep the tools of plugin "${pluginId}"`, () =>
        inTransaction(database, () => {
          const kept = select.get(pluginId)?.fingerprint
          if (begins) removeTools.run(pluginId)
          else if (kept !== fingerprint && kept !== partly) return false
          upsert.run(pluginId, goesOn ? partly : fingerprint, Math.round(listedAt), hintsText)
          for (const [name, text] of texts) upsertTool.run(pluginId, name, text)
          for (const name of removed) removeTool.run(pluginId, nameOf({ name }))
          return true
        }),
      )
    },
    delete: drop,
  }
}

/** What stands in place of the fingerprint of a list that is not whole, or between two, should the host die now. */
function inPart(fingerprint: string): string {
  return `${fingerprint} in part`
}

/** As JSON: SQLite would take what is no character in a name for what stands in its place. */
function nameOf({ name }: Pick<ToolDefinition, 'name'>): string {
  return JSON.stringify(name)
}

function toolListOf(row: Row, rows: readonly Row[]): ToolList {
  const tools: unknown[] = rows.map(({ tool }) => JSON.parse(String(tool)))
  if (!tools.every(isToolDefinition)) throw new Error('expected a list of tools')
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
