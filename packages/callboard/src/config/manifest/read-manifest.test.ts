import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifest } from './read-manifest.ts'
import { pluginFolder } from './testing/plugin-folder.ts'

const HELLO = `package: acme/hello
name: Hello
version: 1.0.0
permissions: [acme.hello.view]
tools:
  - name: acme.hello.echo
    title: Echo Hello
    description: Echo a message
    action: ./echo.ts
    permission: acme.hello.view
    read_only: true
    destructive: false
    surfaces: [mcp, cli]
    args:
      - { name: message, type: string, required: false, description: Optional message }
`

test('a manifest becomes the definitions of its tools', async () => {
  const folder = pluginFolder()
  const { manifest, findings } = await folder.read(HELLO)
  expect(findings).toEqual([])
  expect(manifest).toEqual({
    file: join(folder.path, 'plugin.yaml'),
    folder: folder.path,
    package: 'acme/hello',
    name: 'Hello',
    version: '1.0.0',
    module: undefined,
    permissions: ['acme.hello.view'],
    tools: [
      {
        package: 'acme/hello',
        name: 'acme.hello.echo',
        title: 'Echo Hello',
        description: 'Echo a message',
        action: './echo.ts',
        permission: 'acme.hello.view',
        readOnly: true,
        destructive: false,
        surfaces: ['mcp', 'cli'],
        args: [{ name: 'message', type: 'string', required: false, description: 'Optional message' }],
      },
    ],
  })
})

test('every field of a tool is read', async () => {
  const folder = pluginFolder()
  folder.write('plugin.ts', 'export default () => {}\n')
  const { manifest, findings } = await folder.read(`
$schema: x
package: acme.co/hello-there
name: Hello
version: 2.0.0-rc.1+build.5
module: ./plugin.ts
tools:
  - name: acme.co.find
    action: find
    idempotent: true
    open_world: false
    streaming: true
    tags: [search, find]
    input_schema:
      type: object
      properties: { query: { type: string, pattern: '^[a-z]+$' } }
      required: [query]
    output_schema: { type: object, properties: { hits: { type: integer } } }
  - name: acme.co.nothing
    action: ./tools.ts#$shout
    surfaces: [cli]
`)
  expect(findings).toEqual([])
  expect(manifest?.module).toBe('./plugin.ts')
  expect(manifest?.permissions).toEqual([])
  expect(manifest?.tools).toEqual([
    {
      package: 'acme.co/hello-there',
      name: 'acme.co.find',
      action: 'find',
      readOnly: false,
      destructive: false,
      idempotent: true,
      openWorld: false,
      streaming: true,
      tags: ['search', 'find'],
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', pattern: '^[a-z]+$' } },
        required: ['query'],
      },
      outputSchema: { type: 'object', properties: { hits: { type: 'integer' } } },
    },
    {
      package: 'acme.co/hello-there',
      name: 'acme.co.nothing',
      action: './tools.ts#$shout',
      readOnly: false,
      destructive: false,
      surfaces: ['cli'],
      args: [],
    },
  ])
})

test('an argument without a type is a text, and other names of types are taken', async () => {
  const names = ['string', 'int', 'integer', 'number', 'float', 'double', 'bool', 'boolean', 'array', 'object']
  const args = [{ name: 'a' }, ...names.map((type) => ({ name: `a_${type}`, type }))]
  const { manifest } = await pluginFolder().read(HELLO.replace(/args:[\s\S]*/, `args: ${JSON.stringify(args)}`))
  expect(manifest?.tools[0]?.args?.map(({ type }) => type)).toEqual([
    'string',
    'string',
    'integer',
    'integer',
    'number',
    'number',
    'number',
    'boolean',
    'boolean',
    'array',
    'object',
  ])
})

test('a signals.yaml is read as it is, and says which of its sections are not', async () => {
  const folder = pluginFolder()
  const { manifest, findings } = await folder.read(
    `${HELLO}signals_version: ^0.5\nhooks:\n  - { on: yes, a: 1, a: 2 }\nworkflow_triggers: []\n`,
    'signals.yaml',
  )
  expect(manifest?.file).toBe(join(folder.path, 'signals.yaml'))
  expect(findings.map(({ rule, level, line, message }) => [rule, level, line, message.split(':')[0]])).toEqual([
    ['manifest.ignored', 'note', 16, 'signals_version'],
    ['manifest.ignored', 'note', 17, 'hooks'],
    ['manifest.ignored', 'note', 19, 'workflow_triggers'],
  ])
})

test('a manifest is named by its folder or by itself', async () => {
  const folder = pluginFolder()
  const byFolder = await folder.read(HELLO)
  expect(await readManifest(join(folder.path, 'plugin.yaml'))).toEqual(byFolder)
  expect(await readManifest(`${folder.path}/`)).toEqual(byFolder)
})

test('a plugin without tools is a plugin', async () => {
  const { manifest, findings } = await pluginFolder().read('package: a/b\nname: B\nversion: 1.0.0\n')
  expect([manifest?.tools, findings]).toEqual([[], []])
})

test('all that is wrong is found at once, in the order of the file', async () => {
  const found = await pluginFolder().found(`package: Acme/hello
nmae: Hello
version: v1
tools:
  - name: Echo
    action: ./gone.ts
    read_only: yes
    surfaces: []
    args: [{ name: a b }, { name: x, type: text }]
  - title: 7
    readOnly: true
`)
  expect(found.map((line) => line.split(': ')[0])).toEqual([
    '1:1 identity.required',
    '1:10 identity.package.format',
    '2:1 manifest.unknown',
    '3:10 identity.version.semver',
    '5:11 tools.name.format',
    '6:13 code.missing',
    '7:16 yaml.boolean',
    '8:15 tools.surfaces.empty',
    '9:20 tools.args.name',
    '9:44 tools.args.type',
    '10:5 tools.malformed',
    '10:5 tools.malformed',
    '10:12 yaml.text',
    '11:5 tools.unknown',
  ])
})

test('lines end where the file says', async () => {
  const found = await pluginFolder().found(HELLO.replaceAll('\n', '\r\n').replace('1.0.0', 'one'))
  expect(found.map((line) => line.split(': ')[0])).toEqual(['3:10 identity.version.semver'])
})

test('a folder called plugin.yaml is a folder', async () => {
  const folder = pluginFolder()
  await folder.read(HELLO)
  mkdirSync(join(folder.path, 'sub'))
  const inner = join(folder.path, 'sub/plugin.yaml')
  mkdirSync(inner)
  for (const name of ['plugin.yaml', 'echo.ts']) renameSync(join(folder.path, name), join(inner, name))
  expect((await readManifest(inner)).findings).toEqual([])
})
