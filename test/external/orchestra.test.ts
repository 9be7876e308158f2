/** Plugins that speak only the existing protocol run unchanged: what the host asks them, and what they ask of the host. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import type { PluginHost } from '../../packages/callboard/src/plugins/plugin.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import {
  callPlugin,
  changed,
  emptyHost,
  eventually,
  startPlugin,
  stateReached,
  textOf,
  toolCall,
} from '../fixtures/plugin-calls.ts'
import { GO_PROGRAM, isGoBuilt, NONE, orchestraPlugin } from './orchestra-under-test.ts'

const PEERS = [
  { name: 'the fixture', command: fixtureCommand('orchestra-plugin'), isThere: true },
  { name: 'the Go example', command: { command: GO_PROGRAM, args: [] }, isThere: isGoBuilt },
]

for (const { name, command, isThere } of PEERS) {
  describe.skipIf(!isThere)(`${name}, a plugin of the existing protocol,`, () => {
    test('is booted, and lists its tools', async () => {
      await using under = orchestraPlugin({ command })
      await startPlugin(under.plugin)
      await eventually(() => under.plugin.health().state === 'up', 'the state up')
      const tools = under.plugin.tools.slice(0, 4)
      expect(tools).toMatchObject([
        { package: 'tools.notes', name: 'note_add', inputSchema: { type: 'object', required: ['text'] } },
        { name: 'note_list' },
        { name: 'ask_other' },
        { name: 'count' },
      ])
    })

    test('keeps files with the host, in a folder of its own, which outlive it', async () => {
      await using under = orchestraPlugin({ command })
      await startPlugin(under.plugin)
      const notes = await Promise.all(['a', 'b', 'c'].map((text) => callPlugin(under.plugin, 'note_add', { text })))
      expect(notes.map(textOf).sort()).toEqual(['1 notes', '2 notes', '3 notes'])
      await under.plugin.stop()
      await startPlugin(under.plugin)
      expect(
        textOf(await callPlugin(under.plugin, 'note_list'))
          .split('\n')
          .sort(),
      ).toEqual(['', 'a', 'b', 'c'])
      expect(await readdir(join(under.folder, 'plugins', 'tools.notes.plugin', 'files', 'notes'))).toHaveLength(3)
    })

    test('calls other tools as the user of its call', async () => {
      await using under = orchestraPlugin({ command })
      const calls: unknown[] = []
      const call: PluginHost['call'] = ({ user, within, surface }, tool, args) => {
        calls.push({ user, within, surface, tool, args })
        return Promise.resolve({ content: [{ type: 'text', text: `${tool} ran` }] })
      }
      await startPlugin(under.plugin, undefined, { ...emptyHost(), call })
      const asked = { user: 'ana', within: ['acme.*'] }
      expect(textOf(await callPlugin(under.plugin, 'ask_other', { tool: 'x' }, asked))).toBe('x ran')
      expect(calls).toEqual([{ ...asked, surface: 'mcp', tool: 'x', args: {} }])
    })

    test('answers in pieces, which only its first call tells, and that is remembered', async () => {
      await using under = orchestraPlugin({ command })
      const { plugin } = under
      const isStream = (): boolean => plugin.tools.some((tool) => tool.name === 'count' && tool.streaming === true)
      await startPlugin(plugin)
      expect(isStream()).toBe(false)
      const pieces: unknown[] = []
      const onProgress = (step: unknown): void => void pieces.push(step)
      expect(textOf(await callPlugin(plugin, 'count', {}, { onProgress }))).toBe('1 2 3 ')
      expect(pieces).toEqual([
        { progress: 1, message: '1 ', isPiece: true },
        { progress: 2, message: '2 ', isPiece: true },
        { progress: 3, message: '3 ', isPiece: true },
      ])
      await changed(plugin, isStream, 'the mark of a stream')
      await plugin.stop()
      await startPlugin(plugin)
      expect(isStream()).toBe(true)
      expect(textOf(await callPlugin(plugin, 'count'))).toBe('1 2 3 ')
    })

    test('has prompts', async () => {
      await using under = orchestraPlugin({ command, grants: NONE })
      await startPlugin(under.plugin)
      const context = toolCall({ package: 'tools.notes', name: 'x', action: 'x' })
      const relay = (method: string, params: object = {}) => under.plugin.relay?.(method, params, context)
      expect(await relay('prompts/list')).toMatchObject({ prompts: [{ name: 'summary' }] })
      expect(await relay('prompts/get', { name: 'summary', arguments: {} })).toEqual({
        messages: [{ role: 'user', content: { type: 'text', text: 'Sum up what note_list says.' } }],
      })
      await expect(relay('resources/list')).rejects.toMatchObject({ rpcCode: -32601 })
    })

    test('is stopped, and leaves nothing', async () => {
      await using under = orchestraPlugin({ command })
      await startPlugin(under.plugin)
      await under.plugin.stop()
      expect(under.plugin.health().state).toBe('stopped')
      await expect(callPlugin(under.plugin, 'note_list')).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}

test('it is told what the config says, and where it works', async () => {
  await using under = orchestraPlugin({ boot: { mode: 'fast' }, grants: NONE })
  await startPlugin(under.plugin)
  const facts = JSON.parse(textOf(await callPlugin(under.plugin, 'facts')))
  expect(facts).toMatchObject({ config: { mode: 'fast' }, workspace: process.cwd() })
})

test('arguments, the provider and results cross as JSON; a tool that fails says so in its words', async () => {
  await using under = orchestraPlugin({ grants: NONE })
  await startPlugin(under.plugin)
  const args = { a: [1, null, { b: 'x' }], long: 9_007_199_254_740_991, 'no such': undefined }
  const result = await callPlugin(under.plugin, 'json', args, { provider: 'claude' })
  const { 'no such': _, ...sent } = args
  const answer = { args: sent, provider: 'claude', big: 9_007_199_254_740_991 }
  expect(result.structuredContent).toEqual(answer)
  expect(JSON.parse(textOf(result))).toEqual(answer)
  expect(await callPlugin(under.plugin, 'fail', { message: 'no title' })).toEqual({
    content: [{ type: 'text', text: 'no title' }],
    isError: true,
  })
  expect(textOf(await callPlugin(under.plugin, 'fail'))).toBe('tool error: validation_error')
  expect(await callPlugin(under.plugin, 'unheard')).toEqual({
    content: [{ type: 'text', text: 'tool "unheard" not found' }],
    isError: true,
  })
  await expect(callPlugin(under.plugin, 'nonsense')).rejects.toMatchObject({
    code: 'tool_failed',
    message: 'plugin "tools.notes": it answered with health where the result of a call is expected',
  })
})

test('a stream that is cancelled is cancelled there too', async () => {
  await using under = orchestraPlugin({ grants: NONE })
  await startPlugin(under.plugin)
  const gaveUp = new CallboardError('cancelled', 'nobody listens')
  const cancel = new AbortController()
  const onProgress = (): void => cancel.abort(gaveUp)
  await expect(callPlugin(under.plugin, 'tell', {}, { signal: cancel.signal, onProgress })).rejects.toBe(gaveUp)
  await eventually(
    async () => JSON.parse(textOf(await callPlugin(under.plugin, 'facts'))).cancelled !== '',
    'the cancelling of the stream',
  )
})

test('a health other than healthy shows as degraded, in its words', async () => {
  await using under = orchestraPlugin({ healthMs: 20, grants: NONE })
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'sicken', { why: 'the disk is full' })
  await stateReached(under.plugin, 'degraded')
  expect(under.plugin.health().reason).toBe('the disk is full')
  await callPlugin(under.plugin, 'sicken', { why: '' })
  await stateReached(under.plugin, 'up')
})

test('one that is granted nothing is given no host to call back', async () => {
  await using under = orchestraPlugin({ grants: NONE })
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'note_list'))).toContain('there is no host to ask')
})

test('its certificates are made anew for each start, of a CA of its own that only it can read', async () => {
  await using under = orchestraPlugin()
  const certs = join(under.folder, 'plugins', 'tools.notes.plugin', 'certs')
  await startPlugin(under.plugin)
  expect((await readdir(certs)).sort()).toEqual([
    'ca.crt',
    'ca.key',
    'tools.notes-client.crt',
    'tools.notes-client.key',
    'tools.notes.crt',
    'tools.notes.key',
  ])
  const key = await stat(join(certs, 'ca.key'))
  expect(key.mode & 0o777).toBe(0o600)
  await under.plugin.stop()
  await startPlugin(under.plugin)
  expect((await stat(join(certs, 'ca.key'))).mtimeMs).toBeGreaterThan(key.mtimeMs)
})

test('its prompts take arguments, and one that is not there is told', async () => {
  await using under = orchestraPlugin({ grants: NONE })
  await startPlugin(under.plugin)
  const context = toolCall({ package: 'tools.notes', name: 'x', action: 'x' })
  const relay = (params: object) => under.plugin.relay?.('prompts/get', params, context)
  expect(await under.plugin.relay?.('prompts/list', {}, context)).toEqual({
    prompts: [{ name: 'summary', arguments: [{ name: 'of', description: '', required: true }] }],
  })
  expect(JSON.stringify(await relay({ name: 'summary', arguments: { of: 'May' } }))).toContain('says of May.')
  await expect(relay({ name: 'nothing' })).rejects.toThrow('the plugin has no prompt "nothing"')
  await expect(relay({})).rejects.toMatchObject({ rpcCode: -32602 })
})
