/** Makes plugins of kind `external` for tests, and ends all that they left. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExternalTarget } from '../../packages/callboard/src/config/config.ts'
import { ExternalHome } from '../../packages/callboard/src/plugins/external/external-home.ts'
import {
  createExternalPlugin,
  type ExternalPluginOptions,
} from '../../packages/callboard/src/plugins/external/external-plugin.ts'
import type { Plugin } from '../../packages/callboard/src/plugins/plugin.ts'
import { ProcessWatcher } from '../../packages/callboard/src/plugins/process/process-watcher.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import { keptLog } from '../fixtures/plugin-calls.ts'

export interface ExternalUnderTest extends AsyncDisposable {
  readonly plugin: Plugin
  /** What was logged, parsed. */
  readonly lines: readonly Record<string, unknown>[]
  /** What the host keeps for it. */
  readonly folder: string
}

/** How to start the fixture. */
export function fixtureTarget(
  args: readonly string[] = [],
  transport?: 'quic' | 'tls',
): ExternalTarget & { readonly kind: 'process' } {
  const command = fixtureCommand('external-plugin', ...args)
  return { kind: 'process', ...command, env: {}, cwd: process.cwd(), ...(transport && { transport }) }
}

/** A plugin for this target; `more` replaces its options. */
export function externalPlugin(target: ExternalTarget, more: Partial<ExternalPluginOptions> = {}): ExternalUnderTest {
  const { log, lines } = keptLog(more.secrets)
  const watcher = new ProcessWatcher(log)
  const folder = mkdtempSync(join(tmpdir(), 'callboard-external-'))
  const plugin = createExternalPlugin({
    id: 'acme/ext',
    target,
    version: '0.0.0',
    store: memoryToolLists(),
    home: new ExternalHome(folder, log),
    log,
    watcher,
    secrets: new Secrets(),
    ...more,
  })
  return {
    plugin,
    lines,
    folder,
    async [Symbol.asyncDispose]() {
      await plugin.stop()
      await watcher[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}
