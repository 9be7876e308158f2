/** What a start, a restart and another config load of a plugin's code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHost, loadConfig } from 'callboard'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { textOf } from '../fixtures/plugin-calls.ts'

let stage: Stage
beforeEach(async () => {
  stage = await createStage({ dataDir: 'data', http: { listen: '127.0.0.1:0' }, plugins: { 'acme/hello': './hello' } })
})
afterEach(() => stage[Symbol.asyncDispose]())

/** A declared plugin in the stage's folder, in TypeScript. */
function write(answer: string, more: Readonly<Record<string, unknown>> = {}, name = 'hello'): string {
  const folder = join(stage.folder, name)
  mkdirSync(folder, { recursive: true })
  const tools = [{ name: 'acme.hello.echo', action: './echo.ts', ...more }]
  writeFileSync(
    join(folder, 'plugin.yaml'),
    JSON.stringify({ package: 'acme/hello', name: 'Hello', version: '1.0.0', tools }),
  )
  writeFileSync(join(folder, 'helper.ts'), `export const word: string = '${answer}'`)
  writeFileSync(
    join(folder, 'echo.ts'),
    `import { word } from './helper.ts'\nexport default (): string => '${answer} with ' + word`,
  )
  return folder
}

describe('callboard plugins restart', () => {
  test('runs the code and the manifest as they are now; what the code imports stays as it was', async () => {
    write('one')
    const serving = stage.start(['serve', '--http'])
    await serving.until(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
    const call = async () => (await stage.run(['call', 'plugin:acme/hello:acme.hello.echo'])).stdout
    expect(await call()).toBe('one with one\n')
    write('two', { title: 'Echo anew' })
    expect(await call()).toBe('one with one\n')
    expect((await stage.run(['plugins', 'restart', 'acme/hello'])).code).toBe(0)
    expect(await call()).toBe('two with one\n')
    expect((await stage.run(['show', 'plugin:acme/hello:acme.hello.echo'])).stdout).toContain('Echo anew')
  })

  test('of a plugin that is broken now says why, and once it is mended runs it', async () => {
    const folder = write('one')
    const serving = stage.start(['serve', '--http'])
    await serving.until(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
    const restart = () => stage.run(['plugins', 'restart', 'acme/hello'])
    const call = () => stage.run(['call', 'plugin:acme/hello:acme.hello.echo'])
    expect((await call()).code).toBe(0)
    writeFileSync(join(folder, 'echo.ts'), 'export default () => {')
    const broken = await restart()
    expect(broken.code).toBe(69)
    expect(broken.stdout).toMatch(
      /^acme\/hello\tlocal\tfailed\t1\t.*echo.ts can't be loaded: Expected '}'.*, at .*echo.ts:1\n$/,
    )
    const refused = await call()
    expect(refused.stderr).toMatch(/plugin "acme\/hello" is failed since .*echo.ts can't be loaded: /)
    write('two')
    expect((await restart()).code).toBe(0)
    expect((await call()).stdout).toBe('two with one\n')
  })
})

describe('reconfigure', () => {
  const load = (path: string) =>
    loadConfig({ data: { dataDir: join(stage.folder, 'data'), plugins: { 'acme/hello': path } }, cwd: stage.folder })

  test('to another path loads what is there, and to the same one leaves the plugin alone', async () => {
    write('one')
    write('other', {}, 'elsewhere')
    const host = await createHost({ config: load('./hello') })
    onTestFinished(() => host[Symbol.asyncDispose]())
    await host.start()
    const call = async () =>
      textOf(await host.invoker.run({ name: 'plugin:acme/hello:acme.hello.echo', arguments: {}, user: 'owner' }))
    expect(await call()).toBe('one with one')
    write('two')
    expect(host.reconfigure(load('./hello')).restarted).toEqual([])
    expect(await call()).toBe('one with one')
    expect(host.reconfigure(load('./elsewhere')).restarted).toEqual(['acme/hello'])
    expect(await call()).toBe('other with other')
    host.reconfigure(load('./hello'))
    expect(await call()).toMatch(/^two with/)
  })
})
