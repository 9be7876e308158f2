import { expect, test } from 'vitest'
import { PLUGINS, run } from '../testing/plugins.ts'
import { runDouble } from '../testing/run-double.ts'

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

test('no match is no failure, and no plugin is near', async () => {
  const { code, stdout, stderr } = await run('search zebra')
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toBe('no tool matches\n')
  expect(JSON.parse((await run('search zebra --json')).stdout)).toMatchObject({
    tools: [],
    total: 0,
    nearestPlugins: [],
  })
})

test('without any plugin nothing is offered', async () => {
  const { stderr } = await run('search zebra', { plugins: [] })
  expect(stderr).toBe('no tool matches\n')
})

test('where nothing matches well a few tools are shown, and the plugins that come nearest', async () => {
  const tools = Array.from({ length: 9 }, (_, i) => ({ name: `send_${i}`, description: 'Sends a mail.' }))
  const options = { plugins: [...PLUGINS, { id: 'mail', tools }], likeness: 0.1 }
  const { code, stdout, stderr } = await run('search mail', options)
  expect([code, stdout.trim().split('\n')]).toEqual([0, expect.objectContaining({ length: 5 })])
  expect(stderr).toBe('no tool matches well; try other words, or `callboard list --plugin ID`: mail (9)\n')
  expect(JSON.parse((await run('search mail --json', options)).stdout)).toMatchObject({
    query: 'mail',
    nearestPlugins: ['mail'],
    total: 9,
    nextOffset: 5,
  })
})

test('where something matches well no plugin is offered', async () => {
  const { stdout, stderr } = await run('search issue --json')
  expect(JSON.parse(stdout)).not.toHaveProperty('nearestPlugins')
  expect(stderr).toBe('')
})

test.each(['  ', '\ud800', '\0', '\u200b', '\ufffd\ufffd'])('the empty query %j is refused', async (query) => {
  const { code, stderr } = await runDouble(['search', query])
  expect([code, stderr]).toEqual([64, expect.stringContaining('the query is empty; give a few words')])
})
