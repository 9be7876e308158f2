import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CatalogSnapshot } from '../catalog/snapshot.ts'
import { sampleTool } from '../catalog/testing/sample-tool.ts'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { Switches } from './switches.ts'

const TOOLS = [
  sampleTool({ name: 'github_create_issue', pluginId: 'github' }),
  sampleTool({ name: 'github_close_issue', pluginId: 'github' }),
  sampleTool({ name: 'search_mcp_tools', pluginId: 'callboard' }),
]

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-switches-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Switches of a host with these tools, and which plugins it was told of; tools that are off leave the catalogue. */
function scene(folder = newFolder()) {
  const store = openSqliteStore(join(folder, 'store.sqlite'), (warning) => expect.unreachable(warning))
  const told: (readonly string[])[] = []
  const switches: Switches = new Switches({
    store: store.switches,
    plugins: () => [
      { id: 'github', enabled: true },
      { id: 'old', enabled: false },
    ],
    snapshot: () =>
      CatalogSnapshot.empty.with({ put: TOOLS.filter(({ entry }) => !switches.tools.has(entry.namespacedName)) }),
    log: createLog(new Secrets(), 'silent'),
    onChange: (plugins) => told.push(plugins),
  })
  onTestFinished(() => {
    switches[Symbol.dispose]()
    store[Symbol.dispose]()
  })
  return { switches, told, folder }
}

describe('a plugin', () => {
  test('is off until it is switched on again, in another host of the data folder too', () => {
    const { switches, told, folder } = scene()
    switches.setPlugin('github', false)
    switches.setPlugin('github', false)
    expect(switches.all()).toEqual([{ kind: 'plugin', name: 'github', since: expect.any(Number) }])
    expect(scene(folder).switches.all()).toHaveLength(1)
    switches.setPlugin('github', true)
    expect(switches.all()).toEqual([])
    expect(told).toEqual([['github'], ['github']])
  })

  test('that is not there is refused, with one that may be meant', () => {
    const { switches } = scene()
    const refusal = (message: string) => expect.objectContaining({ code: 'usage', message })
    expect(() => switches.setPlugin('githbu', false)).toThrow(refusal('no plugin "githbu"; did you mean "github"?'))
    expect(() => switches.setPlugin('x', true)).toThrow(refusal('no plugin "x"; there are github, old'))
  })

  test('that the config has switched off stays off, and the error says so; off it can be besides', () => {
    const { switches } = scene()
    expect(() => switches.setPlugin('old', true)).toThrow(
      /^plugin "old" is switched off in the config, which goes first/,
    )
    switches.setPlugin('old', false)
    expect(() => switches.setPlugin('old', true)).toThrow(/which goes first/)
    expect([switches.whyDisabled('old'), switches.whyDisabled('github')]).toEqual([
      'switched off in the config',
      'switched off; on again with `callboard plugins enable github`',
    ])
  })

  test('that is not configured any more can be switched on', () => {
    const { folder } = scene()
    const store = openSqliteStore(join(folder, 'store.sqlite'), () => undefined)
    store.switches.switchOff({ kind: 'plugin', name: 'gone', since: 1 })
    store[Symbol.dispose]()
    const { switches } = scene(folder)
    switches.setPlugin('gone', true)
    expect(switches.all()).toEqual([])
  })
})

describe('a tool', () => {
  test.each(['github_create_issue', 'plugin:github:github_create_issue'])(
    'is switched by the name %s',
    async (name) => {
      const { switches, told } = scene()
      expect(await switches.setTool(name, false)).toBe('plugin:github:github_create_issue')
      expect(switches.tools).toEqual(new Set(['plugin:github:github_create_issue']))
      // By now it is in no catalogue.
      expect(await switches.setTool(name, false)).toBe('plugin:github:github_create_issue')
      expect(await switches.setTool(name, true)).toBe('plugin:github:github_create_issue')
      expect(await switches.setTool(name, true)).toBe('plugin:github:github_create_issue')
      expect(switches.all()).toEqual([])
      expect(told).toEqual([[], []])
    },
  )

  test('that is not there is refused, with those that may be meant: all, or what is off', async () => {
    const { switches } = scene()
    await expect(switches.setTool('github_creat_issue', false)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(
        /^no tool named "github_creat_issue"; did you mean "plugin:github:github_create_issue"/,
      ),
    })
    await switches.setTool('github_close_issue', false)
    await expect(switches.setTool('github_clos_issue', true)).rejects.toMatchObject({
      code: 'not_found',
      message:
        'no tool is switched off that is or was named "github_clos_issue"; did you mean "plugin:github:github_close_issue"?',
    })
    await expect(switches.setTool('x', true)).rejects.toThrow(/^no tool is switched off that is or was named "x"$/)
  })

  test('of callboard itself can not be switched off', async () => {
    const { switches } = scene()
    await expect(switches.setTool('search_mcp_tools', false)).rejects.toMatchObject({ code: 'usage' })
    expect(switches.all()).toEqual([])
  })

  test('whose public name several had that are off is to be named by its own', async () => {
    const { folder } = scene()
    const store = openSqliteStore(join(folder, 'store.sqlite'), () => undefined)
    for (const name of ['plugin:a:x', 'plugin:b:x'])
      store.switches.switchOff({ kind: 'tool', name, publicName: 'x', since: 1 })
    store[Symbol.dispose]()
    const { switches } = scene(folder)
    await expect(switches.setTool('x', true)).rejects.toThrow(/had the name "x": plugin:a:x, plugin:b:x; take one/)
    expect(await switches.setTool('plugin:b:x', true)).toBe('plugin:b:x')
    expect(await switches.setTool('x', true)).toBe('plugin:a:x')
  })
})

test('what another process switches is taken over soon', async () => {
  const { switches, told, folder } = scene()
  switches.follow()
  const other = scene(folder).switches
  other.setPlugin('github', false)
  await other.setTool('github_close_issue', false)
  await expect.poll(() => switches.all().length, { timeout: 10_000 }).toBe(2)
  expect(told.flat()).toEqual(['github'])
})
