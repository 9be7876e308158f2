import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DefinedTool } from '@callboard/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadPlugin } from './load-plugin.ts'

/** A folder with these files, which is removed with the test. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-local-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A manifest of these actions by tool. */
function manifest(actions: Readonly<Record<string, string>>, module?: string): string {
  const tools = Object.entries(actions).map(([name, action]) => ({ name, action }))
  return JSON.stringify({ package: 'acme/hello', name: 'Hello', version: '1.0.0', module, tools })
}

function answerOf(tool: DefinedTool | undefined): unknown {
  const given: readonly unknown[] = [{}, {}]
  return tool && Reflect.apply(tool.run, undefined, given)
}

describe('a folder with a manifest', () => {
  test('has its actions from modules, by default export or by name', async () => {
    const folder = folderOf({
      'plugin.yaml': manifest({ 'acme.a': './a.js', 'acme.b': './tools.js#b', 'acme.c': './tools.js#c' }),
      'a.js': 'export default () => "a"',
      'tools.js': 'let loads = 0; export const b = () => "b " + ++loads; export const c = () => "c " + ++loads',
    })
    expect((await loadPlugin(join(folder, 'plugin.yaml'))).id).toBe('acme/hello')
    const { id, tools } = await loadPlugin(folder)
    expect(id).toBe('acme/hello')
    expect(tools.map(({ definition }) => definition.name)).toEqual(['acme.a', 'acme.b', 'acme.c'])
    // One module is loaded once.
    expect(tools.map(answerOf)).toEqual(['a', 'b 1', 'c 2'])
  })

  test('has them wired by its module, by the name of the tool or of its action', async () => {
    const folder = folderOf({
      'plugin.yaml': manifest({ 'acme.a': 'acme.a', 'acme.b': 'App\\Actions\\B', 'acme.c': './c.js' }, './plugin.js'),
      'plugin.js': `export default async (registrar) => {
        await null
        registrar.tool('acme.a', () => 'a')
        registrar.tool('App\\\\Actions\\\\B', () => 'b')
      }`,
      'c.js': 'export default () => "c"',
    })
    expect((await loadPlugin(folder)).tools.map(answerOf)).toEqual(['a', 'b', 'c'])
  })

  test.each([
    [
      'findings in the manifest, the first with its place',
      { 'acme.a': 'App\\Echo', 'acme.b': './nowhere.js' },
      undefined,
      /^2 errors, first: .*plugin.yaml:1:\d+: tools\[0\].action: .*; `callboard plugin check .*` says more$/,
    ],
    [
      'an action that nobody wires',
      { 'acme.a': 'echo' },
      '',
      /^tool "acme.a": its action "echo" is no path of a module, and .\/plugin.js does not wire it; call registrar.tool\('acme.a', action\) there, or write a path$/,
    ],
    [
      'a module that is a path and wired',
      { 'acme.a': './a.js' },
      'registrar.tool("acme.a", () => 1)',
      /^.\/plugin.js does not register its tools: tool "acme.a" is wired, and has the module .\/a.js as its action too; keep one/,
    ],
    [
      'the wiring of what is not declared',
      { 'acme.first': './a.js' },
      'registrar.tool("acme.second.thing", () => 1)',
      /"acme.second.thing" is not declared; declare it in .*plugin.yaml, or take it out$/,
    ],
    [
      'the wiring of a misspelt name',
      { 'acme.hello.echo': 'echo' },
      'registrar.tool("acme.helo.echo", () => 1)',
      /"acme.helo.echo" is not declared; did you mean "acme.hello.echo"\?$/,
    ],
    [
      'a tool that is wired twice',
      { 'acme.a': 'a' },
      'registrar.tool("acme.a", () => 1); registrar.tool("a", () => 1)',
      /tool "acme.a" is wired twice; keep one$/,
    ],
    [
      'a tool that is wired to no function',
      { 'acme.a': 'a' },
      'registrar.tool("acme.a", null)',
      /tool "acme.a" is wired to null; give a function$/,
    ],
    [
      'a module without the export',
      { 'acme.a': './a.js#missing', 'acme.b': './named.js' },
      undefined,
      /^tool "acme.a": .\/a.js exports nothing named missing; correct the name in .*plugin.yaml; tool "acme.b": .\/named.js has no default export; add one, or name another: .\/named.js#NAME$/,
    ],
    [
      'an export that is no function',
      { 'acme.a': './named.js#text' },
      undefined,
      /^tool "acme.a": the export text of .\/named.js has to be a function, not a string$/,
    ],
    [
      'a module that throws',
      { 'acme.a': './throws.js' },
      undefined,
      /^tool "acme.a": .*throws.js can't be loaded: no disk$/,
    ],
    [
      'a register that throws',
      { 'acme.a': 'a' },
      'throw new Error("no disk")',
      /.\/plugin.js does not register its tools: no disk$/,
    ],
  ])('is refused for %s', async (_what, actions, register, fault) => {
    const folder = folderOf({
      'plugin.yaml': manifest(actions, register === undefined ? undefined : './plugin.js'),
      'plugin.js': `export default (registrar) => { ${register} }`,
      // What stands somewhere in a module may be an export as far as the manifest's reading can tell.
      'a.js': 'export default () => "a" // missing',
      'named.js': 'export const text = "text" // default',
      'throws.js': 'throw new Error("no disk") // default',
    })
    await expect(loadPlugin(folder)).rejects.toThrow(fault)
    await expect(loadPlugin(folder)).rejects.toMatchObject({ code: 'config' })
  })

  test('is refused for a module that exports no function', async () => {
    const folder = folderOf({
      'plugin.yaml': manifest({ 'acme.a': 'a' }, './plugin.js'),
      'plugin.js': 'export default 1',
    })
    await expect(loadPlugin(folder)).rejects.toThrow(
      'the default export of ./plugin.js has to be a function register(registrar), not a number',
    )
  })

  test('takes no wiring after its register has ended', async () => {
    const folder = folderOf({
      'plugin.yaml': manifest({ 'acme.a': 'a', 'acme.b': 'b' }, './plugin.js'),
      'plugin.js': `export default (registrar) => {
        registrar.tool('a', () => {
          try { registrar.tool('b', () => 1) } catch (error) { return error.message }
        })
        registrar.tool('b', () => 2)
      }`,
    })
    const { tools } = await loadPlugin(folder)
    expect(answerOf(tools[0])).toBe('tool "b" is wired too late; wait for it in the function register')
  })

  test('without one it is told with its place', async () => {
    const folder = folderOf({ 'a.js': '' })
    await expect(loadPlugin(folder)).rejects.toThrow(`callboard plugin check ${folder}`)
  })
})

describe('a module', () => {
  const of = (text: string): string => join(folderOf({ 'plugin.js': text }), 'plugin.js')
  const tool = (id: string, name: string) =>
    `{ definition: { package: '${id}', name: '${name}', action: 'x' }, run() {} }`

  test('is loaded as it is at that moment', async () => {
    const folder = folderOf({ 'plugin.js': `export default { id: 'acme', tools: [${tool('acme', 'one')}] }` })
    const path = join(folder, 'plugin.js')
    expect((await loadPlugin(path)).tools[0]?.definition.name).toBe('one')
    writeFileSync(path, `export default { id: 'acme', tools: [${tool('acme', 'two')}] }`)
    expect((await loadPlugin(path)).tools[0]?.definition.name).toBe('two')
  })

  test.each([
    ['export default 1', /^the default export of .*plugin.js has to be what definePlugin\(\) gives$/],
    ['export const plugin = 1', /has to be what definePlugin\(\) gives$/],
    ['export default { id: "acme", tools: [{}] }', /has to be what definePlugin\(\) gives$/],
    [
      `export default { id: 'acme', tools: [${tool('other', 'a')}] }`,
      /^tool "a" of plugin "acme" says it is of "other"/,
    ],
    [`export default { id: 'acme', tools: [${tool('acme', 'a')}, ${tool('acme', 'a')}] }`, /two tools named "a"/],
    [`export default { id: 'acme', tools: [${tool('acme', '')}] }`, /`name` has to be a text/],
    ['export default 1; export function then() {}', /plugin.js can't be loaded: it exports `then`, .*another name$/],
    ['const x = () => {}\nexport { x as then, x as default }', /can't be loaded: it exports `then`/],
    ['export default {', /plugin.js can't be loaded: /],
    ['import "not-installed-anywhere"', /can't be loaded: .*not-installed-anywhere/],
  ])('is refused for %s', async (text, fault) => {
    await expect(loadPlugin(of(text))).rejects.toThrow(fault)
  })

  test('that is not there is told by its path', async () => {
    await expect(loadPlugin('/nowhere/plugin.js')).rejects.toThrow(
      'there is no folder or module /nowhere/plugin.js; correct the path',
    )
  })

  test('under node_modules has to be JavaScript, unless it is only linked there', async () => {
    const text = `export default { id: 'acme', tools: [] }`
    const folder = folderOf({ 'node_modules/acme/plugin.ts': text, 'packages/acme/plugin.ts': text })
    const linked = join(folder, 'node_modules/linked')
    symlinkSync(join(folder, 'packages/acme'), linked)
    await expect(loadPlugin(join(folder, 'node_modules/acme/plugin.ts'))).rejects.toThrow(
      /plugin.ts is TypeScript under node_modules, where Node runs JavaScript only; name the built file$/,
    )
    expect(await loadPlugin(join(linked, 'plugin.ts'))).toEqual({ id: 'acme', tools: [] })
  })
})
