import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { qualityOfHits } from '../../bench/search/quality.ts'
import { recombinedTools } from '../../bench/search/recombined-tools.ts'
import { qualityReport } from '../../bench/search/report.ts'
import type { SetTool } from '../../bench/search/tool-set.ts'

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'callboard-sets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function setTool(name: string, description: string): SetTool {
  const params = [{ name: 'path', description: 'Where it is' }]
  return { id: `files::${name}`, server: 'files', name, title: '', description, params }
}

const tools = [
  setTool('read_file', 'Reads a file. Answers its text.'),
  setTool('sendMail', 'Sends a message to somebody'),
  setTool('list_folders', 'Lists the folders of a disk'),
]

function writeSet(name: string, queries: readonly object[]): void {
  const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'tools.jsonl'), lines(tools))
  writeFileSync(join(folder, name, 'queries.jsonl'), lines(queries))
}

test('hits are measured by their places', () => {
  const found = qualityOfHits(['x', 'a', 'y', 'b'], { gold: ['a', 'b'] })
  expect(found).toMatchObject({ recall1: 0, recall5: 1, recall10: 1, mrr: 0.5 })
  expect(found.ndcg10).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)))
  expect(qualityOfHits(['a'], { gold: ['a'] }).ndcg10).toBe(1)
  expect(qualityOfHits(['x'], { gold: ['a'] })).toEqual({ recall1: 0, recall5: 0, recall10: 0, ndcg10: 0, mrr: 0 })
})

test('recombined tools begin with the real ones, are always the same, and have ids of their own', () => {
  const many = recombinedTools(tools, 50)
  expect(many.slice(0, 3).map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(many).toEqual(recombinedTools(tools, 50))
  expect(new Set(many.map(({ id }) => id)).size).toBe(50)
})

test('a library that is behind what it is known to reach is said to be badly tuned', () => {
  const quality = { recall1: 0, recall5: 0, recall10: 0, mrr: 0 }
  const of = new Map([
    ['MiniSearch', { ...quality, ndcg10: 0.3379 }],
    ['FTS5', { ...quality, ndcg10: 0.3576 }],
  ])
  const report = qualityReport([{ set: 'livemcpbench', of, misfits: new Map() }]).join(' ')
  expect(report).toContain(
    'FTS5 35.8 (35.8) on livemcpbench. **Behind, so badly tuned here**: MiniSearch on livemcpbench.',
  )
})

test('the quick run prints what is there, names the sets that are not, and leaves the page alone', async () => {
  writeSet('livemcpbench', [
    { id: '1', query: 'read the text of a file', gold: ['files::read_file'] },
    { id: '2', query: 'send a mail', gold: ['files::sendMail'] },
  ])
  writeSet('catalog-mcpm', [])
  const page = readFileSync(fromRoot('docs/search.md'), 'utf8')
  const args = [fromRoot('bench/search.ts'), '--quick', '--sets', folder]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain('left out: livemcpbench-agentqueries, livemcpbench-steps, restbench')
  expect(stdout).toMatch(/^\| livemcpbench +\| +100\.0 \| +100\.0 \| +0\.0 \| +100\.0 \| +100\.0 \| +100\.0 \|$/m)
  expect(stdout).toContain('No library is better on any set.')
  expect(stdout).toContain(
    'in brackets: MiniSearch 100.0 (33.9) on livemcpbench; FTS5 100.0 (35.8) on livemcpbench. Neither is behind.',
  )
  expect(stdout).toMatch(/^\| livemcpbench +\| +0\.0 \| +0\.0 \| +\d+\.\d \| +0\.0 \| +0\.0 \| +\d+\.\d \|$/m)
  const sizes = stdout.split('\n').filter((line) => /^\| (50|100), /.test(line))
  expect(sizes).toHaveLength(12)
  for (const row of sizes) expect(row).not.toMatch(/NaN|undefined/)
  expect(readFileSync(fromRoot('docs/search.md'), 'utf8')).toBe(page)
}, 60_000)

test('a run with one number of tools prints its times alone', async () => {
  const args = [fromRoot('bench/search.ts'), '--tools', '40', '--sets', folder]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.split('\n').filter((line) => line.startsWith('| 40, '))).toHaveLength(6)
  expect(stdout).not.toContain('nDCG')
}, 60_000)

test('without any set the run says how to name their folder', async () => {
  const args = [fromRoot('bench/search.ts'), '--sets', join(folder, 'nowhere')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain('--sets')
})
