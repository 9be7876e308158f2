/** The servers that people run, from npm, as plugins. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { type McpUnderTest, mcpPlugin } from './mcp-under-test.ts'

const require = createRequire(import.meta.url)

function real(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): McpUnderTest {
  const manifest = require.resolve(`@modelcontextprotocol/${name}/package.json`)
  const entry = join(dirname(manifest), 'dist/index.js')
  return mcpPlugin({ transport: 'stdio', command: process.execPath, args: [entry, ...args], env, cwd: process.cwd() })
}

test('server-everything lists the thirteen tools for a client that offers nothing', async () => {
  await using under = real('server-everything')
  await startPlugin(under.plugin)
  expect(under.plugin.tools).toHaveLength(13)
  expect(textOf(await callPlugin(under.plugin, 'echo', { message: 'hi' }))).toBe('Echo: hi')
  const steps: number[] = []
  const args = { duration: 0.2, steps: 4 }
  await callPlugin(under.plugin, 'trigger-long-running-operation', args, {
    onProgress: ({ progress }) => steps.push(progress),
  })
  expect(steps).toEqual([1, 2, 3, 4])
})

test('server-filesystem reads a file of its folder', async () => {
  await using under = real('server-filesystem', [import.meta.dirname])
  await startPlugin(under.plugin)
  const result = await callPlugin(under.plugin, 'read_text_file', { path: import.meta.filename })
  expect(textOf(result)).toContain('reads a file of its folder')
  expect(under.plugin.tools.find((tool) => tool.name === 'read_text_file')?.readOnly).toBe(true)
})

test('server-memory lists its tools and answers with structured content', async () => {
  await using under = real('server-memory', [], { MEMORY_FILE_PATH: '/nonexistent/memory.json' })
  await startPlugin(under.plugin)
  expect(under.plugin.tools.map((tool) => tool.name)).toContain('read_graph')
  const result = await callPlugin(under.plugin, 'read_graph')
  expect(result.structuredContent).toEqual({ entities: [], relations: [] })
})
