import { expect, test } from 'vitest'
import { run } from '../testing/plugins.ts'

test('has the names and the flags', async () => {
  const { stdout } = await run('show github_create_issue', { columns: 100 })
  expect(stdout).toContain('namespaced name  plugin:github:create_issue\n')
  expect(stdout).toContain('public name      github_create_issue\n')
  expect(stdout).toContain('\nOpens an issue.\nWith a second line.\n')
  expect(stdout).toContain('  --title TEXT             (required) What it is about\n')
  expect(stdout).toContain('  --dry-run, --no-dry-run  (default false)\n')
  expect(stdout).toContain('  --labels TEXT…\n')
  expect(stdout).toContain('  --arg json=JSON\n')
})

test('as JSON it has the schema as an object', async () => {
  const { stdout } = await run('show plugin:github:create_issue --json')
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'github_create_issue',
    namespacedName: 'plugin:github:create_issue',
    declaredName: 'create_issue',
    inputSchema: { required: ['title'] },
    destructive: false,
  })
})

test('a known tool starts nothing; an unknown one only the plugins it may belong to', async () => {
  expect((await run('show github_create_issue')).host.started).toEqual([])
  expect((await run('show files_read')).host.started).toEqual(['files'])
  expect((await run('show plugin:github:nothing')).host.started).toEqual([])
})

test('a tool that is not there is answered with close names, as `list` prints them, and 66', async () => {
  const { code, stderr } = await run('show github_create_isue')
  expect(stderr).toBe(
    'callboard: no tool named "github_create_isue"; did you mean "plugin:github:create_issue" or "plugin:github:close_issue"?\n  find the name with `callboard list`\n',
  )
  expect(code).toBe(66)
})
