import { expect, test } from 'vitest'
import { runDouble } from '../testing/host-double.ts'
import { run } from '../testing/plugins.ts'

test('finds by words and says how much there is', async () => {
  const { stdout } = await run('search issue --json --limit 1')
  expect(JSON.parse(stdout)).toMatchObject({
    query: 'issue',
    total: 2,
    nextOffset: 1,
    tools: [{ declaredName: 'create_issue' }],
  })
})

test('several words are one query', async () => {
  expect((await run('search Reads a file')).stdout).toContain('plugin:files:read')
})

test('no match is no failure', async () => {
  const { code, stdout, stderr } = await run('search zebra')
  expect([code, stdout, stderr]).toEqual([0, '', 'no tool matches\n'])
})

test('an empty query is refused', async () => {
  expect((await runDouble(['search', '  '])).code).toBe(64)
})
