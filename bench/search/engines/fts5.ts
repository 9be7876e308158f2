/** SQLite's FTS5 as its documentation advises: the porter tokenizer, a column for each field, weights for `bm25`. */
import { DatabaseSync } from 'node:sqlite'
import { STOP_WORDS } from '../../../packages/callboard/src/catalog/search/stop-words.ts'
import type { Engine } from '../engine.ts'
import { FIELD_BOOSTS, plainTool, plainWords } from '../plain-words.ts'

const COLUMNS = ['name', 'title', 'description', 'params', 'server'] as const

export const fts5: Engine = {
  name: 'FTS5',
  take: (tools) => () => {
    const database = new DatabaseSync(':memory:')
    database.exec(
      `CREATE VIRTUAL TABLE tools USING fts5(${COLUMNS.join(', ')}, content='', tokenize='porter unicode61 remove_diacritics 2')`,
    )
    const insert = database.prepare(
      'INSERT INTO tools(rowid, name, title, description, params, server) VALUES (?, ?, ?, ?, ?, ?)',
    )
    database.exec('BEGIN')
    for (const [i, tool] of tools.entries()) {
      const plain = plainTool(tool)
      insert.run(i + 1, ...COLUMNS.map((column) => plain[column]))
    }
    database.exec('COMMIT')
    const weights = COLUMNS.map((column) => FIELD_BOOSTS[column]).join(', ')
    const select = database.prepare(
      `SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY bm25(tools, ${weights}), rowid LIMIT ?`,
    )
    const pages = database
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .get()
    return {
      bytesElsewhere: Number(pages?.bytes),
      search(query, limit) {
        const match = expressionOf(query)
        if (match === '') return []
        return select.all(match, limit).map(({ rowid }) => tools[Number(rowid) - 1]?.id ?? '')
      },
    }
  },
}

/** Any of the words, stop words out. */
function expressionOf(query: string): string {
  const words = new Set(plainWords(query).toLowerCase().split(' ').filter(Boolean))
  const telling = [...words].filter((word) => !STOP_WORDS.has(word))
  return telling.map((word) => `"${word}"`).join(' OR ')
}
