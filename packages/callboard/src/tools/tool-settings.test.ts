/** Settings of a plugin's tools: what stays, what is overridden, and what had no effect. */
import type { ToolDefinition } from '@callboard/sdk'
import { expect, test } from 'vitest'
import { applyToolSettings, type ToolOverride, type ToolSettings } from './tool-settings.ts'

const TOOLS: readonly ToolDefinition[] = ['get_issue', 'get_pull', 'create_issue', 'delete_repo'].map((name) => ({
  package: 'github',
  name,
  action: name,
  description: `Does ${name}`,
}))

function settings(parts: Partial<ToolSettings>): ToolSettings {
  return { keep: [], drop: [], overrides: new Map(), ...parts }
}

function namesAfter(parts: Partial<ToolSettings>): readonly string[] {
  return applyToolSettings(TOOLS, settings(parts)).tools.map(({ name }) => name)
}

test('without settings every tool stays the object it was', () => {
  const { tools, idle } = applyToolSettings(TOOLS, settings({}))
  expect(tools).toEqual(TOOLS)
  for (const [at, tool] of tools.entries()) expect(tool).toBe(TOOLS[at])
  expect(idle).toEqual([])
})

test('keep leaves only what matches, drop takes from that', () => {
  expect(namesAfter({ keep: ['get_*', 'create_issue'] })).toEqual(['get_issue', 'get_pull', 'create_issue'])
  expect(namesAfter({ drop: ['delete_*'] })).toEqual(['get_issue', 'get_pull', 'create_issue'])
  expect(namesAfter({ keep: ['*_issue'], drop: ['create_*'] })).toEqual(['get_issue'])
  expect(namesAfter({ drop: ['*'] })).toEqual([])
})

test('an override changes the fields it names and no others', () => {
  const override: ToolOverride = {
    title: 'Remove',
    permission: 'github.admin',
    destructive: true,
    surfaces: ['cli'],
    timeoutMs: 5,
  }
  const { tools } = applyToolSettings(TOOLS, settings({ overrides: new Map([['delete_repo', override]]) }))
  expect(tools[3]).toEqual({
    ...TOOLS[3],
    title: 'Remove',
    permission: 'github.admin',
    destructive: true,
    surfaces: ['cli'],
  })
  expect(tools[0]).toBe(TOOLS[0])
})

test('an override of the timeout alone leaves the definition the object it was', () => {
  const { tools } = applyToolSettings(TOOLS, settings({ overrides: new Map([['get_pull', { timeoutMs: 5 }]]) }))
  expect(tools[1]).toBe(TOOLS[1])
})

test('an override shows in the tool as its server listed it, whose other fields stay', () => {
  const listed = {
    name: 'get_issue',
    icons: [1],
    description: 'old',
    annotations: { readOnlyHint: false, openWorldHint: true },
  }
  const definition: ToolDefinition = { package: 'github', name: 'get_issue', action: 'get_issue', listed }
  const apply = (override: ToolOverride) =>
    applyToolSettings([definition], settings({ overrides: new Map([['get_issue', override]]) })).tools[0]?.listed
  expect(apply({ title: 'Get', description: 'new', readOnly: true, idempotent: true, destructive: false })).toEqual({
    name: 'get_issue',
    icons: [1],
    title: 'Get',
    description: 'new',
    annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true, destructiveHint: false },
  })
  expect(apply({ openWorld: false })).toEqual({ ...listed, annotations: { readOnlyHint: false, openWorldHint: false } })
  expect(apply({ permission: 'p' })).toEqual(listed)
  expect(listed.annotations).toEqual({ readOnlyHint: false, openWorldHint: true })
})

test('patterns and overrides that match nothing are told', () => {
  const { idle } = applyToolSettings(
    TOOLS,
    settings({
      keep: ['get_*', 'list_*'],
      drop: ['get_pull', 'dele_*'],
      overrides: new Map([
        ['get_issue', { title: 'a' }],
        ['get_pull', { title: 'dropped, so it is idle' }],
        ['get_commit', { title: 'not there' }],
      ]),
    }),
  )
  expect(idle).toEqual([
    { setting: 'keep', text: 'list_*' },
    { setting: 'drop', text: 'dele_*' },
    { setting: 'overrides', text: 'get_pull' },
    { setting: 'overrides', text: 'get_commit' },
  ])
})
