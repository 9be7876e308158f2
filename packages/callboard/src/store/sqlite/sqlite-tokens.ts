/** Tokens in SQLite: one row each, without what would let anybody in. */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredToken, TokenStore } from '../token-store.ts'
import { inDatabase, parseTexts, type Row, type RowsOptions, readRow, readRows } from './rows.ts'

const COLUMNS = 'id, name, user, hash, created_at, expires_at, permissions'

/** Prepares the statements once; the caller closes the database. */
export function createSqliteTokens(database: DatabaseSync, options: RowsOptions): TokenStore {
  const all = database.prepare(`SELECT ${COLUMNS} FROM token ORDER BY name`)
  const one = database.prepare(`SELECT ${COLUMNS} FROM token WHERE id = ?`)
  const insert = database.prepare(`INSERT INTO token (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const remove = database.prepare('DELETE FROM token WHERE id = ?')
  const removeOf = database.prepare('DELETE FROM token WHERE user = ?')
  const drop = (id: string): boolean => inDatabase(options, `remove a token`, () => remove.run(id).changes > 0)
  return {
    all: () =>
      readRows(options, 'token', { rows: () => all.all(), read: tokenOf, drop: ({ id }) => void drop(String(id)) }),
    find(id) {
      const row = inDatabase(options, 'look up a token', () => one.get(id))
      return (
        row &&
        readRow(
          options,
          `the token "${row.name}"`,
          () => tokenOf(row),
          () => void drop(id),
        )
      )
    },
    add: ({ id, name, user, hash, createdAt, expiresAt = null, permissions }) =>
      inDatabase(options, `keep the token "${name}"`, () => {
        const narrowing = permissions === undefined ? null : JSON.stringify(permissions)
        return insert.run(id, name, user, hash, createdAt, expiresAt, narrowing).changes > 0
      }),
    remove: drop,
    removeOf: (user) => {
      inDatabase(options, `remove the tokens of "${user}"`, () => removeOf.run(user))
    },
  }
}

function tokenOf({ id, name, user, hash, created_at, expires_at, permissions }: Row): StoredToken {
  return {
    id: String(id),
    name: String(name),
    user: String(user),
    hash: String(hash),
    createdAt: Number(created_at),
    ...(expires_at !== null && { expiresAt: Number(expires_at) }),
    ...(permissions !== null && { permissions: parseTexts(permissions) }),
  }
}
