/** The SQLite store: the contract of all stores, and what a file can suffer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { peopleStoreContract } from '../../../../../test/contracts/people-store.contract.ts'
import { storeContract } from '../../../../../test/contracts/store.contract.ts'
import { switchContract } from '../../../../../test/contracts/switch.contract.ts'
import { tokenStoreContract } from '../../../../../test/contracts/token-store.contract.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { MIGRATIONS } from './schema.ts'

const MODULE = new URL('./open-sqlite-store.ts', import.meta.url).href
const onPosix = test.skipIf(process.platform === 'win32')

/** A path in a new folder, which goes with the test. */
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data', 'callboard.db')
}

function noWarning(message: string): void {
  throw new Error(`unexpected warning: ${message}`)
}

function openFor(file: string, warn = noWarning): Store {
  const store = openSqliteStore(file, warn)
  onTestFinished(() => store[Symbol.dispose]())
  return store
}

/** The file with one tool list and one value in it, closed. */
function filledFile(): string {
  const file = newFile()
  const store = openSqliteStore(file, noWarning)
  store.toolLists.change('a', 'f', { put: [], removed: [], begins: true, listedAt: 1, hints: {} })
  store.pluginStorage.set('a', 'k', 1)
  store[Symbol.dispose]()
  return file
}

function alter(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

const files = new WeakMap<Store, string>()
function openEmpty(again?: Store): Store {
  const file = (again && files.get(again)) ?? newFile()
  const store = openFor(file)
  files.set(store, file)
  return store
}
storeContract('SQLite', openEmpty)
switchContract('SQLite', openEmpty)
peopleStoreContract('SQLite', openEmpty)
tokenStoreContract('SQLite', openEmpty)

describe('the file', () => {
  onPosix('and what SQLite puts beside it are private, in a private folder', () => {
    const file = newFile()
    openFor(file).pluginStorage.set('a', 'k', 1)
    const folder = join(file, '..')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toContain('callboard.db-wal')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  onPosix('is made private where others could read it', () => {
    const file = filledFile()
    chmodSync(file, 0o644)
    openFor(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('uses a write-ahead log, and syncs as that allows', () => {
    const file = newFile()
    openFor(file)
    const database = new DatabaseSync(file)
    onTestFinished(() => database.close())
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length })
  })

  test('that can not be made is an error that names it and the mend', () => {
    const file = newFile()
    writeFileSync(join(file, '..', '..', 'data'), 'a file where the folder should be')
    expect(() => openSqliteStore(file, noWarning)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringMatching(/can't write the store ".*callboard\.db".*set dataDir/),
      }),
    )
  })

  test('of a later version is refused and left as it is', () => {
    const file = filledFile()
    alter(file, 'PRAGMA user_version = 99')
    const before = readFileSync(file)
    expect(() => openSqliteStore(file, noWarning)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringMatching(new RegExp(`version 99.*up to ${MIGRATIONS.length}; update callboard`)),
      }),
    )
    expect(readFileSync(file)).toEqual(before)
  })

  test('of an earlier version gets what it lacks and keeps what it has', () => {
    const file = filledFile()
    alter(
      file,
      'DROP TABLE listed_tool; DROP TABLE user; DROP TABLE role; DROP TABLE token; DROP TABLE people_revision; PRAGMA user_version = 2',
    )
    const { people, pluginStorage } = openFor(file)
    expect(people.addUser({ name: 'ana', roles: [], disabled: false })).toBe(true)
    expect(pluginStorage.get('a', 'k')).toBe(1)
  })

  test('of another program is refused', () => {
    const file = filledFile()
    alter(file, 'DROP TABLE tool_list')
    expect(() => openSqliteStore(file, noWarning)).toThrow(/is no store of callboard: no such table: tool_list/)
  })
})

describe('a damaged file', () => {
  const REFUSAL =
    /^the store ".*callboard\.db" is damaged \(.+\); it holds the users, roles, tokens and switches .* a good copy .* begin anew/
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'that is no database': (file) => writeFileSync(file, 'this is not a database, however long one reads on in it'),
    'whose first page is overwritten': (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xff, 100, 4096))
    },
    'whose later pages are overwritten': (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xff, 4096))
    },
    'that is cut off': (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
  }

  test.each(Object.entries(damages))(
    '%s is refused with what it holds and the mend, and stays as it is',
    (_, damage) => {
      const file = filledFile()
      damage(file)
      const bytes = readFileSync(file)
      for (let time = 0; time < 2; time += 1) {
        let thrown: unknown
        try {
          openSqliteStore(file, noWarning)
        } catch (error) {
          thrown = error
        }
        expect(thrown).toMatchObject({ code: 'config', message: expect.stringMatching(REFUSAL) })
      }
      expect(readFileSync(file)).toEqual(bytes)
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      expect(openFor(file).pluginStorage.get('a', 'k')).toBeUndefined()
    },
  )

  test('that is empty is a new one, without a warning', () => {
    const file = newFile()
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(file, '')
    openFor(file).pluginStorage.set('a', 'k', 1)
  })
})

test.skipIf(process.platform === 'win32')('a folder that is open to others is told, and left as it is', () => {
  const file = newFile()
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o755 })
  const warnings: string[] = []
  openFor(file, (warning) => warnings.push(warning))
  expect(warnings).toEqual([expect.stringMatching(/^the data folder ".*" is open to other users of this machine/)])
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o755)
})

describe('a row that can not be read', () => {
  test.each([
    [
      "INSERT INTO listed_tool (plugin_id, name, tool) VALUES ('a', '1', '[{')",
      /the tool list of plugin "a" .* is dropped: /,
    ],
    ["INSERT INTO listed_tool (plugin_id, name, tool) VALUES ('a', '1', '1')", /expected a list of tools/],
    [
      `INSERT INTO listed_tool (plugin_id, name, tool) VALUES ('a', '7', '{"package":"a","name":7,"action":"x"}')`,
      /expected a list of tools/,
    ],
    ["UPDATE tool_list SET hints = '[]'", /expected an object of hints/],
    ["UPDATE plugin_storage SET value = 'nul'", /the value "k" of plugin "a" .* is dropped: /],
  ])('(%s) is told, dropped, and absent from then on', (sql, message) => {
    const file = filledFile()
    alter(file, sql)
    const warnings: string[] = []
    const store = openFor(file, (warning) => warnings.push(warning))
    const read = () =>
      !sql.includes('plugin_storage') ? store.toolLists.get('a', 'f') : store.pluginStorage.get('a', 'k')
    expect(read()).toBeUndefined()
    expect(read()).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(message)])
    store.toolLists.change('a', 'f', { put: [], removed: [], begins: true, listedAt: 2 })
    expect(store.toolLists.get('a', 'f')).toEqual({ tools: [], listedAt: 2 })
  })
})

describe('a user, role or token that can not be read', () => {
  test.each([
    ["UPDATE user SET roles = '[1]'", 'the user "ana"'],
    ["UPDATE role SET permissions = 'x'", 'the role "r"'],
    ["UPDATE token SET permissions = '{}'", 'the token "laptop"'],
  ])('(%s) is told, dropped, and lets nobody do anything from then on', (sql, what) => {
    const file = newFile()
    const store = openSqliteStore(file, noWarning)
    store.people.addUser({ name: 'ana', roles: [], disabled: false })
    store.people.addRole({ name: 'r', permissions: [] })
    store.tokens.add({ id: '1', name: 'laptop', user: 'ana', hash: '', createdAt: 0, permissions: [] })
    store[Symbol.dispose]()
    alter(file, sql)
    const warnings: string[] = []
    const { people, tokens } = openFor(file, (warning) => warnings.push(warning))
    const read = () => [...people.users(), ...people.roles(), ...tokens.all()]
    expect(read()).toHaveLength(2)
    expect([read(), tokens.find('1')?.name]).toEqual([read(), what.includes('token') ? undefined : 'laptop'])
    expect(warnings).toEqual([expect.stringContaining(`${what} in the store`)])
  })
})

describe('several processes', () => {
  /** Opens the file in a process of its own and writes there; resolves with its exit code and its stderr. */
  async function writer(file: string, name: string): Promise<readonly [unknown, string]> {
    const script = `
      import { openSqliteStore } from ${JSON.stringify(MODULE)}
      const [file, name] = process.argv.slice(1)
      const store = openSqliteStore(file, (message) => console.error(message))
      for (let at = 0; at < 20; at++) store.pluginStorage.set(name, 'k' + at, at)
      store[Symbol.dispose]()`
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script, file, name], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    return [code, said]
  }

  const names = ['p', 'q', 'r', 's']

  test('may make the file at the same moment and write at the same time', async () => {
    const file = newFile()
    expect(await Promise.all(names.map((name) => writer(file, name)))).toEqual(names.map(() => [0, '']))
    const { pluginStorage } = openFor(file)
    for (const name of names) expect(pluginStorage.get(name, 'k19')).toBe(19)
  })

  test('that hold the file for long make a write fail with an error that says so', () => {
    const file = newFile()
    const store = openFor(file)
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    expect(() => store.pluginStorage.set('a', 'k', 1)).toThrow(
      /^can't keep "k" of plugin "a" in the store ".*": .*locked/,
    )
    expect(store.pluginStorage.get('a', 'k')).toBeUndefined()
    other.exec('ROLLBACK')
    store.pluginStorage.set('a', 'k', 1)
    expect(store.pluginStorage.get('a', 'k')).toBe(1)
  })
})
