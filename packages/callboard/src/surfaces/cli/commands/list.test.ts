import { expect, test } from 'vitest'
import type { DoublePlugin } from '../testing/host-double.ts'
import { BROKEN, GITHUB, OFF, run } from '../testing/plugins.ts'

test('in a pipe every tool is one line of cells between tabs, sorted and whole', async () => {
  const { code, stdout, stderr } = await run('list')
  expect(stdout).toBe(
    [
      'plugin:files:read\texternal\tReads a file.',
      'plugin:github:close_issue\texternal\tCloses an issue.',
      'plugin:github:create_issue\texternal\tOpens an issue. With a second line.',
      '',
    ].join('\n'),
  )
  expect(stderr).toBe('')
  expect(code).toBe(0)
})

test('on a terminal the columns have heads and the last one is cut to the width', async () => {
  const { stdout } = await run('list', { columns: 60 })
  expect(stdout.split('\n')).toEqual([
    'TOOL                        CATEGORY  DESCRIPTION',
    'plugin:files:read           external  Reads a file.',
    'plugin:github:close_issue   external  Closes an issue.',
    'plugin:github:create_issue  external  Opens an issue. With…',
    '',
  ])
})

test('only a plugin of which nothing is known is started', async () => {
  expect((await run('list')).host.started).toEqual(['files'])
  expect((await run('list --plugin github')).host.started).toEqual([])
})

test('a plugin that cannot be started is a warning and no failure', async () => {
  const { code, stdout, stderr } = await run('list', { plugins: [GITHUB, BROKEN] })
  expect(stderr).toBe('warning: plugin "broken" could not be started: command "nope" was not found\n')
  expect(stdout).toContain('plugin:github:close_issue')
  expect(code).toBe(0)
})

test('filters and pages', async () => {
  expect((await run('list --plugin files')).stdout).toBe('plugin:files:read\texternal\tReads a file.\n')
  expect((await run('list --category ai')).stdout).toBe('')
  expect((await run('list --offset 1 --limit 1')).stdout).toBe(
    'plugin:github:close_issue\texternal\tCloses an issue.\n',
  )
  expect((await run('list --offset 99')).stdout).toBe('')
})

test('as JSON it is one document with all three names and the next page', async () => {
  const { stdout } = await run('list --json --limit 1')
  expect(JSON.parse(stdout)).toEqual({
    tools: [
      {
        name: 'files_read',
        namespacedName: 'plugin:files:read',
        declaredName: 'read',
        description: 'Reads a file.',
        pluginId: 'files',
        category: 'external',
        providers: [],
      },
    ],
    total: 3,
    offset: 0,
    nextOffset: 1,
  })
})

test('--plugins groups by plugin', async () => {
  const { stdout } = await run('list --plugins', { columns: 80 })
  expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'files (1 tool)',
    '  plugin:files:read  external  Reads a file.',
    'github (2 tools)',
    '  plugin:github:close_issue   external  Closes an issue.',
    '  plugin:github:create_issue  external  Opens an issue. With a second line.',
    '',
  ])
  const grouped = JSON.parse((await run('list --plugins --json')).stdout)
  expect(grouped.plugins.map((plugin: { id: string }) => plugin.id)).toEqual(['files', 'github'])
})

test('what a server writes can not steer the terminal', async () => {
  const evil: DoublePlugin = { id: 'evil', tools: [{ name: 'x', description: 'a\u001b[31m b\u0007c\u202ed' }] }
  const { stdout } = await run('list', { plugins: [evil], columns: 80 })
  expect(stdout).toContain('a bcd')
})

test('a plugin that is switched off is neither started nor warned of', async () => {
  const { stderr, host } = await run('list', { plugins: [GITHUB, OFF] })
  expect([stderr, host.started]).toEqual(['', []])
})
