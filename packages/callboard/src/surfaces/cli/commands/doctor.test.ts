import { describe, expect, test } from 'vitest'
import { BROKEN, GITHUB, OFF, run } from '../testing/plugins.ts'
import { searchNotes } from './doctor.ts'

describe('plugins and doctor', () => {
  test('plugins starts all and tells their states', async () => {
    const { code, stdout, host } = await run('plugins', { plugins: [GITHUB, BROKEN] })
    expect(stdout).toMatch(
      /^broken\tmcp\tfailed\t0\t[-\d]+ [:\d]+\tcommand "nope" was not found\ngithub\tmcp\tup\t2\t[-\d]+ [:\d]+\t\n$/,
    )
    expect([code, host.started]).toEqual([0, ['github', 'broken']])
    const { plugins } = JSON.parse((await run('plugins --json', { plugins: [GITHUB] })).stdout)
    expect(plugins).toEqual([{ id: 'github', kind: 'mcp', state: 'up', since: '1970-01-01T00:00:00.000Z', tools: 2 }])
  })

  test('doctor is content when everything is up', async () => {
    const { code, stdout } = await run('doctor', {
      plugins: [{ ...GITHUB, startMs: 12 }],
      notes: ['http.auth has no effect'],
    })
    expect(code).toBe(0)
    expect(stdout).toContain(`node\t${process.version}\nconfig\t/etc/callboard.yaml\ndata folder\t/var/callboard\n`)
    expect(stdout).toMatch(/github\tup\t2 tools\t12 ms\t\n/)
    expect(stdout).toContain('note: http.auth has no effect\n')
    expect(stdout).toContain('All is well.\n')
  })

  test('doctor names each server whose one account serves several users, and who they are', async () => {
    const note = 'plugin "github" acts with one account for 3 users: owner, ana, bob'
    const { stdout } = await run('doctor', { plugins: [GITHUB], users: ['ana', 'bob'] })
    expect(stdout).toContain(`note: ${note}\n`)
    const { notes } = JSON.parse((await run('doctor --json', { plugins: [GITHUB], users: ['ana', 'bob'] })).stdout)
    expect(notes).toEqual([note])
    for (const options of [{}, { users: ['ana'], visible: [] }])
      expect((await run('doctor', { plugins: [GITHUB], ...options })).stdout).not.toContain('one account')
  })

  test('a plugin that is switched off does not trouble the doctor', async () => {
    const { code, host } = await run('doctor', { plugins: [GITHUB, OFF] })
    expect([code, host.started]).toEqual([0, ['github']])
  })

  test('doctor tells how a start failed, not that the next one is on its way', async () => {
    const { stdout } = await run('doctor --json', { plugins: [{ ...BROKEN, retried: true }] })
    expect(JSON.parse(stdout).plugins).toMatchObject([{ state: 'failed', reason: 'command "nope" was not found' }])
  })

  test.each([
    { plugins: [BROKEN], reports: [] },
    { plugins: [GITHUB], reports: ['two tools are named x'] },
  ])('doctor ends with 1 when something is wrong: %j', async (options) => {
    const { code, stdout } = await run('doctor', options)
    expect(stdout).toContain('Something is to be mended.')
    expect(code).toBe(1)
    expect(JSON.parse((await run('doctor --json', options)).stdout)).toMatchObject({
      well: false,
      problems: options.reports,
    })
  })
})

test('doctor tells that search is without word vectors, and nothing where it has them', () => {
  expect(searchNotes({ vectors: undefined, problem: 'no such file' })).toEqual([
    'search goes by words alone, without what they mean: no such file',
  ])
  expect(searchNotes({ vectors: undefined })).toEqual([])
})
