/** Makes plugins of kind `mcp` for tests, over either transport, and ends all that they left. */
import type { McpTarget } from '../../packages/callboard/src/config/config.ts'
import { createMcpPlugin } from '../../packages/callboard/src/plugins/mcp/mcp-plugin.ts'
import type { McpPluginOptions } from '../../packages/callboard/src/plugins/mcp/mcp-plugin-options.ts'
import type { Plugin } from '../../packages/callboard/src/plugins/plugin.ts'
import { ProcessWatcher } from '../../packages/callboard/src/plugins/process/process-watcher.ts'
import { fixtureCommand, startHttpFixture } from '../fixtures/fixture.ts'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import { keptLog } from '../fixtures/plugin-calls.ts'

export interface McpUnderTest extends AsyncDisposable {
  readonly plugin: Plugin
  /** What was logged, parsed. */
  readonly lines: readonly Record<string, unknown>[]
}

/** A plugin for this target; `more` replaces its options. */
export function mcpPlugin(target: McpTarget, more: Partial<McpPluginOptions> = {}): McpUnderTest {
  const { log, lines } = keptLog(more.secrets)
  const watcher = new ProcessWatcher(log)
  const plugin = createMcpPlugin({
    id: 'acme',
    target,
    version: '0.0.0',
    store: memoryToolLists(),
    log,
    watcher,
    ...more,
  })
  return {
    plugin,
    lines,
    async [Symbol.asyncDispose]() {
      await plugin.stop()
      await watcher[Symbol.asyncDispose]()
    },
  }
}

/** How to reach a fixture over stdio. */
export function stdioTarget(name: string, ...args: readonly string[]): McpTarget & { readonly transport: 'stdio' } {
  return { transport: 'stdio', ...fixtureCommand(name, ...args), env: {}, cwd: process.cwd() }
}

/** A plugin for a fixture over stdio. */
export function stdioPlugin(
  name: string,
  args: readonly string[] = [],
  more: Partial<McpPluginOptions> = {},
): McpUnderTest {
  return mcpPlugin(stdioTarget(name, ...args), more)
}

/** A plugin for a fixture over HTTP, which is started with it. */
export async function httpPlugin(
  name: string,
  args: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
  more: Partial<McpPluginOptions> = {},
): Promise<McpUnderTest & { readonly url: string }> {
  const server = await startHttpFixture(name, args)
  const type = args.includes('--http-sse') ? ({ type: 'sse' } as const) : {}
  const under = mcpPlugin({ transport: 'http', url: server.url, headers, ...type }, more)
  return {
    ...under,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await under[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}
