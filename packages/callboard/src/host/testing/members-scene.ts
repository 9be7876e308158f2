/** Users, roles and tokens in a store of their own, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadConfig } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { Members } from '../members.ts'

export interface MembersScene {
  readonly members: Members
  readonly store: Store
  /** What was told of changes. */
  readonly told: string[]
  /** The same store as another process has it. */
  another(): MembersScene
}

/** With the config of these users and roles; everything goes with the running test. */
export function membersScene(config: Readonly<Record<string, unknown>> = {}, folder?: string): MembersScene {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'callboard-members-'))
  if (folder === undefined) onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const store = openSqliteStore(join(dataDir, 'callboard.sqlite'), () => undefined)
  onTestFinished(() => store[Symbol.dispose]())
  const told: string[] = []
  const members = new Members({
    store,
    config: loadConfig({ data: { dataDir, ...config } }),
    log: createLog(new Secrets(), 'silent'),
    onChange: (what) => told.push(what),
  })
  onTestFinished(() => members[Symbol.dispose]())
  return { members, store, told, another: () => membersScene(config, dataDir) }
}
