import { describe, expect, test } from 'vitest'
import type { SwitchedOff } from '../../../store/switch-store.ts'
import { localTime } from '../output/local-time.ts'
import { HostDouble } from '../testing/host-double.ts'
import { BROKEN, FILES, GITHUB, OFF, PLUGINS, run } from '../testing/plugins.ts'
import { type RunOptions, runDouble } from '../testing/run-double.ts'

const OFF_TOOLS: readonly SwitchedOff[] = [
  { kind: 'plugin', name: 'github', since: 0 },
  { kind: 'tool', name: 'plugin:a:x', publicName: 'a_x', since: 1_796_000_000_000 },
  { kind: 'tool', name: 'plugin:b:y', since: 1_796_000_000_000 },
]

/** Runs the words in a host that serves these plugins. */
async function runInHost(words: readonly string[], options: RunOptions) {
  const host = new HostDouble(options)
  const running = { pid: 1, since: 0, version: '1.2.3', address: 'stdio' }
  return { ...(await runDouble(words, { ...options, lent: { host, user: 'owner', running } })), host }
}

describe('callboard plugins enable|disable', () => {
  test('switches the plugin and shows how it is, without starting anything where no host serves', async () => {
    const { code, stdout, host } = await run('plugins disable github')
    expect([code, host.switched, host.started]).toEqual([0, [['github', false]], []])
    expect(stdout).toMatch(/^github\tmcp\t/)
    const on = await run('plugins enable github --json')
    expect([on.code, on.host.switched, on.host.started]).toEqual([0, [['github', true]], []])
    expect(JSON.parse(on.stdout)).toMatchObject({ plugins: [{ id: 'github' }] })
  })

  test('starts it in the host that serves, and tells whether it is up', async () => {
    const well = await runInHost(['plugins', 'enable', 'github'], { plugins: [GITHUB] })
    expect([well.code, well.host.started]).toEqual([0, ['github']])
    const broken = await runInHost(['plugins', 'enable', 'broken'], { plugins: [BROKEN] })
    expect(broken.code).toBe(69)
    expect(broken.stdout).toContain('command "nope" was not found')
    const off = await runInHost(['plugins', 'disable', 'github'], { plugins: [GITHUB] })
    expect([off.code, off.host.started]).toEqual([0, []])
  })
})

describe('callboard tools', () => {
  test('enable and disable switch the tool and say so', async () => {
    const off = await run('tools disable github_close_issue')
    expect([off.code, off.stdout]).toEqual([0, 'plugin:double:github_close_issue\tdisabled\n'])
    const on = await run('tools enable github_close_issue --json')
    expect(JSON.parse(on.stdout)).toEqual({ tool: 'plugin:double:github_close_issue', state: 'enabled' })
    expect([off.host.switched, on.host.switched]).toEqual([
      [['github_close_issue', false]],
      [['github_close_issue', true]],
    ])
  })

  test('disable starts a plugin of which nothing is known where the tool may be its', async () => {
    expect((await run('tools disable files_read', { plugins: [GITHUB, FILES] })).host.started).toEqual(['files'])
    expect((await run('tools enable files_read', { plugins: [GITHUB, FILES] })).host.started).toEqual([])
  })

  test('lists what is switched off, which is in no other list', async () => {
    const since = 1_796_000_000_000
    const { stdout } = await run('tools', { switchedOff: OFF_TOOLS })
    expect(stdout).toBe(`plugin:a:x\tdisabled\t${localTime(since)}\ta_x\nplugin:b:y\tdisabled\t${localTime(since)}\t\n`)
    expect(JSON.parse((await run('tools --json', { switchedOff: OFF_TOOLS })).stdout)).toEqual({
      tools: [
        { tool: 'plugin:a:x', state: 'disabled', since: new Date(since).toISOString(), publicName: 'a_x' },
        { tool: 'plugin:b:y', state: 'disabled', since: new Date(since).toISOString(), publicName: null },
      ],
    })
    expect(await run('tools')).toMatchObject({ stdout: '', stderr: 'no tool is switched off\n' })
  })
})

test.each(['plugins disable github', 'plugins enable github', 'tools', 'tools disable x', 'tools enable x'])(
  '%s is the owner’s alone',
  async (line) => {
    const { code, host } = await run(`${line} --user ana`)
    expect([code, host.switched]).toEqual([77, []])
  },
)

test('serve --only refuses a plugin that is switched off, and says so', async () => {
  const { code, stderr } = await run('serve --stdio --only off', { plugins: [...PLUGINS, OFF] })
  expect(code).toBe(64)
  expect(stderr).toContain('plugin "off" is disabled')
})
