/** Plugins that speak only the existing protocol, for tests: the fixture, and the Go example where it is built. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ExternalTarget, OrchestraGrants } from '../../packages/callboard/src/config/config.ts'
import type { ExternalPluginOptions } from '../../packages/callboard/src/plugins/external/external-plugin.ts'
import { ROOT } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { type ExternalUnderTest, externalPlugin } from './external-under-test.ts'

export const GO_PROGRAM: string = join(ROOT, 'examples/external/go/orchestra-plugin')
export const isGoBuilt: boolean = existsSync(GO_PROGRAM)

/** Every grant but permissions. */
export const ALL: OrchestraGrants = { storage: true, tools: true, events: true, permissions: [] }
export const NONE: OrchestraGrants = { storage: false, tools: false, events: false, permissions: [] }

export interface OrchestraUnderTestOptions extends Partial<ExternalPluginOptions> {
  readonly args?: readonly string[]
  readonly grants?: OrchestraGrants
  readonly boot?: Readonly<Record<string, string>>
  readonly command?: { readonly command: string; readonly args: readonly string[] }
  readonly maxStorageBytes?: number
}

/** A plugin `tools.notes`, granted everything but permissions where nothing else is said. */
export function orchestraPlugin(options: OrchestraUnderTestOptions = {}): ExternalUnderTest {
  const { args = [], grants = ALL, boot = {}, maxStorageBytes, ...more } = options
  const { command = fixtureCommand('orchestra-plugin', ...args), ...rest } = more
  const target: ExternalTarget = {
    kind: 'process',
    ...command,
    env: {},
    cwd: process.cwd(),
    orchestra: { grants, boot },
    ...(maxStorageBytes !== undefined && { maxStorageBytes }),
  }
  return externalPlugin(target, { id: 'tools.notes', ...rest })
}
