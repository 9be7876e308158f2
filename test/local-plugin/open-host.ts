/** Opens a host with plugins as values, whose data folder goes with the running test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DefinedPlugin } from '@callboard/sdk'
import { createHost, type Host, type HostOptions, loadConfig, type ToolResult } from 'callboard'
import { onTestFinished } from 'vitest'
import { keptLog } from '../fixtures/plugin-calls.ts'

export interface OpenHost {
  readonly host: Host
  readonly lines: readonly Record<string, unknown>[]
  /** Calls a tool by its public or namespaced name, as the owner unless another user is named. */
  call(name: string, args?: Readonly<Record<string, unknown>>, user?: string): Promise<ToolResult>
}

/** The host has started all its plugins. `config` is what a callboard.yaml holds. */
export async function openHost(
  plugins: readonly DefinedPlugin[],
  config: Readonly<Record<string, unknown>> = {},
  options: Omit<HostOptions, 'config' | 'plugins'> = {},
): Promise<OpenHost> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-local-'))
  const { log, lines } = keptLog()
  const host = await createHost({ config: loadConfig({ data: { dataDir, ...config } }), plugins, log, ...options })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  return { host, lines, call: (name, args = {}, user = 'owner') => host.invoker.run({ name, arguments: args, user }) }
}
