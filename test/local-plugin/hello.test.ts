/** The declared plugin of the examples, under each of its names and on each surface. */
import { join } from 'node:path'
import { createHost, loadConfig, PluginToolRegistry } from 'callboard'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createStage, ROOT, type Stage } from '../cli/run-command.ts'
import { connect, createSite, ERAS, textOf } from '../gateway/callboard.ts'

const plugins = { 'acme/hello': join(ROOT, 'examples/hello') }
const NAMESPACED = 'plugin:acme/hello:acme.hello.echo'
const PUBLIC = 'plugin-acme-hello-acme-hello-echo'

describe.each(ERAS)('over MCP, %s', (era) => {
  test('it is listed under its public name with each hint said outright, and called by it', async () => {
    await using site = createSite(plugins, { expose: 'all' })
    const { url, prints } = await site.serve()
    await prints(/acme\/hello +up/)
    const client = await connect(era, { url })
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === PUBLIC)).toEqual({
      name: PUBLIC,
      title: 'Echo Hello',
      description: 'Echo a message',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'Optional message' } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    })
    for (const name of [PUBLIC, NAMESPACED])
      expect(textOf(await client.callTool({ name, arguments: { message: 'hi' } }))).toBe('hi')
    expect(textOf(await client.callTool({ name: PUBLIC, arguments: {} }))).toBe('hello, owner')
    const wrong = await client.callTool({ name: PUBLIC, arguments: { mesage: 'hi' } })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('unknown argument "mesage", did you mean "message"?')
  })

  test('it is found and run through the four', async () => {
    await using site = createSite(plugins)
    const { url } = await site.serve()
    const client = await connect(era, { url })
    onTestFinished(() => client.close())
    const ran = await client.callTool({
      name: 'call_mcp_tool',
      arguments: { tool_name: PUBLIC, arguments: { message: 'hi' } },
    })
    expect(ran.content).toEqual([{ type: 'text', text: 'hi' }])
    const found = await client.callTool({ name: 'search_mcp_tools', arguments: { query: 'echo' } })
    expect(textOf(found)).toContain(PUBLIC)
  })
})

describe('on the command line', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage({ plugins })
  })
  afterEach(() => stage[Symbol.asyncDispose]())

  test('it is listed by its namespaced name, and called by that with options', async () => {
    const listed = await stage.run(['list', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject({
      tools: [{ name: PUBLIC, namespacedName: NAMESPACED, pluginId: 'acme/hello', category: 'tool', providers: [] }],
    })
    expect((await stage.run(['list'])).stdout).toContain(NAMESPACED)
    for (const name of [NAMESPACED, PUBLIC])
      expect(await stage.run(['call', name, '--message', 'hi'])).toMatchObject({ stdout: 'hi\n', code: 0 })
    expect((await stage.run(['call', NAMESPACED, '--mesage', 'hi'])).code).toBe(64)
  })
})

test('the key in the config has to be the package of the manifest', async () => {
  const stage = await createStage({ plugins: { 'acme/hi': plugins['acme/hello'] } })
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const { stderr } = await stage.run(['list'])
  expect(stderr).toMatch(/the config calls it "acme\/hi", and .*hello says it is "acme\/hello"; make the two equal/)
})

test('the long form in the config changes what callers see of it', async () => {
  await using stage = await createStage({})
  const settings = {
    local: plugins['acme/hello'],
    prefix: 'hi_',
    tools: { overrides: { 'acme.hello.echo': { title: 'Say it again', idempotent: true } } },
  }
  const config = loadConfig({ data: { dataDir: stage.folder, plugins: { 'acme/hello': settings } } })
  const host = await createHost({ config })
  onTestFinished(() => host[Symbol.asyncDispose]())
  await host.start()
  const tool = (await host.view('owner', 'mcp')).resolve('hi_acme-hello-echo')
  expect(tool?.entry).toMatchObject({ title: 'Say it again', namespacedName: NAMESPACED, category: 'tool' })
  expect(tool?.definition).toMatchObject({ readOnly: true, idempotent: true })
  const run = { name: 'hi_acme-hello-echo', arguments: { message: 'hi' }, user: 'owner' }
  expect(await host.invoker.run(run)).toEqual({ content: [{ type: 'text', text: 'hi' }] })
})

test('a config that nobody trusts loads none of its modules', async () => {
  const stage = await createStage({ plugins })
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const { child, done } = stage.start(['call', NAMESPACED], { cwd: stage.folder, env: { CALLBOARD_CONFIG: '' } })
  child.stdin.end()
  const { code, stderr } = await done
  expect(code).toBe(78)
  expect(stderr).toContain('is not trusted yet, so nothing of it is run')
  const trusting = stage.start(['trust'], { cwd: stage.folder, env: { CALLBOARD_CONFIG: '' } })
  expect((await trusting.done).stdout).toContain(`acme/hello\tloads\t${plugins['acme/hello']}`)
})

test('the tool registry knows a definition by its package and name, and the invoker runs it', async () => {
  const definition = {
    package: 'signals/slots-demo',
    name: 'signals.slotsdemo.echo',
    title: 'Echo',
    description: 'Echo a message',
    action: './echo.ts',
    args: [{ name: 'message', type: 'string', required: false }],
    permission: 'signals.slotsdemo.view',
    readOnly: true,
    destructive: false,
    surfaces: ['mcp', 'cli'],
  } as const
  const registry = new PluginToolRegistry()
  registry.register(definition)
  expect(registry.has('signals/slots-demo', 'signals.slotsdemo.echo')).toBe(true)
  expect(registry.has('signals/slots-demo', 'signals.slotsdemo.other')).toBe(false)
  expect(registry.getByNamespacedName('plugin:signals/slots-demo:signals.slotsdemo.echo')).toBe(definition)

  const run = ({ message }: { readonly message?: string }) => `${message}`
  const stage = await createStage({})
  const config = loadConfig({
    data: { dataDir: stage.folder, users: { ana: { roles: ['demo'] } }, roles: { demo: ['signals.slotsdemo.*'] } },
  })
  const host = await createHost({ config, plugins: [{ id: definition.package, tools: [{ definition, run }] }] })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })
  await host.start()
  expect(await host.invoker.invoke(definition, { message: 'hi' }, 'ana')).toEqual({
    content: [{ type: 'text', text: 'hi' }],
  })
  await expect(host.invoker.invoke(definition, { message: 'hi' }, 'ben')).rejects.toMatchObject({ code: 'not_found' })
})
