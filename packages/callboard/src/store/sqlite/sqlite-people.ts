/** Users and roles in SQLite: one row each. */
import type { DatabaseSync } from 'node:sqlite'
import type { PeopleStore, StoredRole, StoredUser } from '../people-store.ts'
import { inDatabase, parseTexts, type Row, type RowsOptions, readRows } from './rows.ts'

/** Prepares the statements once; the caller closes the database. */
export function createSqlitePeople(database: DatabaseSync, options: RowsOptions): PeopleStore {
  const revision = database.prepare('SELECT number FROM people_revision')
  return {
    revision: () => inDatabase(options, 'look for changes of users and roles', () => Number(revision.get()?.number)),
    ...usersIn(database, options),
    ...rolesIn(database, options),
  }
}

function usersIn(
  database: DatabaseSync,
  options: RowsOptions,
): Pick<PeopleStore, 'users' | 'addUser' | 'setRoles' | 'setDisabled' | 'removeUser'> {
  const all = database.prepare('SELECT name, roles, disabled FROM user ORDER BY name')
  const insert = database.prepare('INSERT INTO user (name, roles, disabled) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const setRoles = database.prepare('UPDATE user SET roles = ? WHERE name = ?')
  const setDisabled = database.prepare('UPDATE user SET disabled = ? WHERE name = ?')
  const remove = database.prepare('DELETE FROM user WHERE name = ?')
  const removeUser = (name: string): boolean =>
    inDatabase(options, `remove the user "${name}"`, () => remove.run(name).changes > 0)
  return {
    users: () =>
      readRows(options, 'user', {
        rows: () => all.all(),
        read: userOf,
        drop: ({ name }) => void removeUser(String(name)),
      }),
    addUser: ({ name, roles, disabled }) =>
      inDatabase(
        options,
        `keep the user "${name}"`,
        () => insert.run(name, JSON.stringify(roles), Number(disabled)).changes > 0,
      ),
    setRoles: (name, roles) =>
      inDatabase(options, `keep the roles of "${name}"`, () => setRoles.run(JSON.stringify(roles), name).changes > 0),
    setDisabled: (name, disabled) =>
      inDatabase(options, `change the user "${name}"`, () => setDisabled.run(Number(disabled), name).changes > 0),
    removeUser,
  }
}

function rolesIn(
  database: DatabaseSync,
  options: RowsOptions,
): Pick<PeopleStore, 'roles' | 'addRole' | 'setPermissions' | 'removeRole'> {
  const all = database.prepare('SELECT name, permissions FROM role ORDER BY name')
  const insert = database.prepare('INSERT INTO role (name, permissions) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const set = database.prepare('UPDATE role SET permissions = ? WHERE name = ?')
  const remove = database.prepare('DELETE FROM role WHERE name = ?')
  const removeRole = (name: string): boolean =>
    inDatabase(options, `remove the role "${name}"`, () => remove.run(name).changes > 0)
  return {
    roles: () =>
      readRows(options, 'role', {
        rows: () => all.all(),
        read: roleOf,
        drop: ({ name }) => void removeRole(String(name)),
      }),
    addRole: ({ name, permissions }) =>
      inDatabase(options, `keep the role "${name}"`, () => insert.run(name, JSON.stringify(permissions)).changes > 0),
    setPermissions: (name, permissions) =>
      inDatabase(options, `keep the role "${name}"`, () => set.run(JSON.stringify(permissions), name).changes > 0),
    removeRole,
  }
}

function userOf({ name, roles, disabled }: Row): StoredUser {
  return { name: String(name), roles: parseTexts(roles), disabled: disabled !== 0 }
}

function roleOf({ name, permissions }: Row): StoredRole {
  return { name: String(name), permissions: parseTexts(permissions) }
}
