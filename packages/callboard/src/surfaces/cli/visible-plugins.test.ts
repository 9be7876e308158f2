import { describe, expect, test } from 'vitest'
import { BROKEN, GITHUB, run } from './testing/plugins.ts'

/** Ana may use one tool of one plugin. */
const LIMITED = {
  plugins: [GITHUB, BROKEN, { id: 'payroll', tools: [{ name: 'pay' }] }],
  permissions: ['cli.access'],
  visible: ['plugin:github:create_issue'],
}

describe('a user who may use little', () => {
  test('is told of no other plugin by a filter', async () => {
    const hidden = await run('list --user ana --plugin payroll', LIMITED)
    expect(hidden.stderr).toBe('warning: no plugin "payroll" in the config; there is github\n')
    const near = await run('list --user ana --plugin payrol', LIMITED)
    expect(near.stderr).toBe('warning: no plugin "payrol" in the config; there is github\n')
    expect((await run('list --plugin payrol', LIMITED)).stderr).toContain('did you mean "payroll"?')
  })

  test('sees the states of the own plugins alone, and counts of the own tools', async () => {
    const { plugins } = JSON.parse((await run('plugins --user ana --json', LIMITED)).stdout)
    expect(plugins).toEqual([expect.objectContaining({ id: 'github', tools: 1 })])
    expect(JSON.parse((await run('plugins --json', LIMITED)).stdout).plugins).toHaveLength(3)
  })

  test.each(['list', 'search issue', 'show nothing', 'call nothing'])('is not warned of others by %s', async (line) => {
    expect((await run(`${line} --user ana`, LIMITED)).stderr).not.toContain('broken')
    // Whoever is granted all of a plugin's tools learns why there are none.
    const granted = { ...LIMITED, permissions: ['cli.access', 'broken.*'] }
    expect((await run(`${line} --user ana`, granted)).stderr).toContain('plugin "broken" could not be started')
  })

  test('may not ask the doctor', async () => {
    const { code, stdout, host } = await run('doctor --user ana', { ...LIMITED, reports: ['payroll is odd'] })
    expect([code, stdout, host.started]).toEqual([77, '', []])
  })
})
