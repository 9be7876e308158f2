import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { generatedTools } from '../../bench/generated-tools.ts'

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('generated tools are always the same, each with a name of its own in its plugin', () => {
  const tools = generatedTools(15_000)
  expect(tools.slice(0, 100)).toEqual(generatedTools(15_000).slice(0, 100))
  expect(new Set(tools.map((tool) => `${tool.package}:${tool.name}`)).size).toBe(15_000)
  expect(new Set(tools.map((tool) => tool.package)).size).toBe(375)
})

test('the quick run of the catalogue benchmark prints a row for each size and leaves the page alone', async () => {
  const page = readFileSync(fromRoot('docs/performance.md'), 'utf8')
  const { stdout } = await promisify(execFile)(process.execPath, [fromRoot('bench/catalog.ts'), '--quick'])
  expect(stdout).toContain(`Node ${process.versions.node}`)
  const rows = stdout.split('\n').filter((line) => /^\| (100|400) +\|/.test(line))
  expect(rows).toHaveLength(6)
  expect(stdout).toMatch(/^\| 2025-11-25 +\|.*\n\| 2026-07-28 +\|.*$/m)
  for (const row of rows) expect(row).not.toMatch(/NaN|undefined/)
  expect(readFileSync(fromRoot('docs/performance.md'), 'utf8')).toBe(page)
}, 60_000)
