import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readManifest } from './read-manifest.ts'
import { RULES, type Rule } from './rules.ts'
import { pluginFolder } from './testing/plugin-folder.ts'

const HEAD = 'package: acme/hello\nname: Hello\nversion: 1.0.0\n'

/** A manifest with one tool of these further fields, which stand from line 5, column 5 on. */
function tool(fields: string): string {
  return `${HEAD}tools:\n  - ${fields.replaceAll('\n', '\n    ')}\n    name: acme.hello.echo\n    action: ./echo.ts\n`
}

/** A manifest whose only tool has this in the schema of its arguments, which stands from line 5, column 19 on. */
function schema(text: string): string {
  return tool(`input_schema: ${text}`)
}

type Case = readonly [rule: Rule, text: string, place: string, message: RegExp]

const CASES: readonly Case[] = [
  // YAML
  ['yaml.syntax', 'name: "Hello', '1:13', /something is not closed/],
  ['yaml.syntax', 'name: a: b', '1:7', /a second ": " in one line/],
  ['yaml.alias', `${HEAD}permissions: &p []`, '4:17', /anchors and aliases/],
  ['yaml.alias', 'name: *x', '1:7', /anchors and aliases/],
  ['yaml.alias', `a: &a [x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]`, '1:7', /anchors and aliases/],
  ['yaml.tag', 'name: !!str x', '1:13', /tags \(!…\) are not read/],
  ['yaml.tag', 'name: !php/object x', '1:7', /tags \(!…\) are not read/],
  ['yaml.directive', '%FOO bar\n---\nname: x', '1:1', /directives/],
  ['yaml.documents', `${HEAD}---\n${HEAD}`, '4:1', /a second document/],
  ['yaml.tab', 'tools:\n\t- name: x', '2:1', /a tab in the indentation/],
  ['yaml.depth', `name: ${'['.repeat(70)}${']'.repeat(70)}`, '1:71', /nested too deeply/],
  ['yaml.key', '? [a]\n: b', '1:3', /a key must be plain text/],
  ['yaml.duplicate', `${HEAD}name: Other`, '4:1', /^name: this key stands twice \(first on line 2\); remove one/],
  ['yaml.duplicate', tool('title: A\n"title": B'), '6:5', /first on line 5/],
  ['yaml.duplicate', schema('{ type: object, type: object }'), '5:35', /input_schema\.type: this key stands twice/],
  ['yaml.merge', tool('<<: { title: A }'), '5:5', /merge keys are not read here; write the keys out/],
  ['yaml.text', HEAD.replace('Hello', '42'), '2:7', /expected text, found a number; put it in quotes/],
  ['yaml.text', HEAD.replace('Hello', 'true'), '2:7', /expected text, found true or false; put it in quotes/],
  ['yaml.text', tool('title: 1.5'), '5:12', /put it in quotes/],
  ['yaml.boolean', tool('read_only: yes'), '5:16', /write true, without quotes/],
  ['yaml.boolean', tool('read_only: on'), '5:16', /write true, without quotes/],
  ['yaml.boolean', tool('destructive: no'), '5:18', /write false, without quotes/],
  ['yaml.boolean', tool("destructive: 'false'"), '5:18', /write false, without quotes/],
  ['yaml.boolean', tool('args: [{ name: a, required: y }]'), '5:33', /write true, without quotes/],
  ['yaml.number', schema('{ type: object, maxProperties: .inf }'), '5:50', /JSON cannot carry this number/],
  ['yaml.number', schema('{ type: object, default: 9007199254740993 }'), '5:44', /put it in quotes/],
  ['yaml.ambiguous', HEAD.replace('Hello', '2026-01-02'), '2:7', /put it in quotes/],
  ['yaml.ambiguous', tool('tags: [yes]'), '5:12', /other readers of YAML take it for/],
  ['yaml.ambiguous', tool('description: 12:30'), '5:18', /put it in quotes/],
  ['yaml.ambiguous', tool('title: 1_000'), '5:12', /put it in quotes/],
  ['yaml.ambiguous', schema('{ type: object, maxProperties: 010 }'), '5:50', /10 here.*; write 10/],
  ['yaml.ambiguous', schema('{ type: object, properties: { on: {} } }'), '5:49', /properties\.on: text here/],
  ['yaml.bom', `\uFEFF${HEAD}`, '1:1', /save the file without it/],
  ['text.characters', tool('title: "a\\u001b[2J"'), '5:12', /a control character or half a character/],
  ['text.characters', tool('description: "\\uD83D"'), '5:18', /take it out/],
  // names
  ['names.reserved', `${HEAD}__proto__: x`, '4:1', /this cannot be a key/],
  ['names.reserved', schema('{ type: object, properties: { constructor: {} } }'), '5:49', /choose another name/],
  ['names.reserved', schema('{ type: object, default: { __proto__: 1 } }'), '5:46', /cannot be a key/],
  ['names.reserved', tool('args: [{ name: __proto__ }]'), '5:20', /cannot be the name of an argument/],
  ['names.reserved', tool('args: [{ name: prototype }]'), '5:20', /cannot be the name of an argument/],
  // the whole
  ['manifest.malformed', '- a', '1:1', /expected a mapping of keys/],
  ['manifest.malformed', 'just text', '1:1', /expected a mapping of keys/],
  ['manifest.malformed', `${HEAD}permissions: acme.view`, '4:14', /expected a list, found text; put it in \[ \]/],
  ['manifest.malformed', `${HEAD}tools: { name: x }`, '4:8', /expected a list, found a mapping/],
  ['manifest.malformed', `${HEAD}permissions: [[x]]`, '4:15', /expected text, found a list/],
  ['manifest.malformed', `${HEAD}module:`, '4:8', /give it a value or remove the key/],
  ['manifest.unknown', `${HEAD}permisions: []`, '4:1', /unknown key; did you mean `permissions`\?/],
  ['manifest.unknown', `${HEAD}xyz: 1`, '4:1', /known here: package, name, version, module, permissions, tools/],
  ['manifest.ignored', `${HEAD}signals_version: ^1.0`, '4:1', /for SIGNALS, and is not read here/],
  // identity
  ['identity.required', 'package: acme/hello\nname: Hello', '1:1', /^version: this key is missing/],
  ['identity.package.format', HEAD.replace('acme/hello', 'hello'), '1:10', /expected vendor\/name/],
  ['identity.package.format', HEAD.replace('acme/hello', 'acme/-x'), '1:10', /expected vendor\/name/],
  ['identity.package.format', HEAD.replace('acme/hello', 'acme/a..b'), '1:10', /expected vendor\/name/],
  ['identity.package.format', HEAD.replace('acme/hello', 'a/b/c'), '1:10', /expected vendor\/name/],
  ['identity.package.format', HEAD.replace('acme/hello', `a/${'b'.repeat(127)}`), '1:10', /at most 128/],
  ...['cli', 'callboard', 'owner', 'ai', 'ai.x'].map(
    (vendor): Case => [
      'identity.package.reserved',
      HEAD.replace('acme/', `${vendor}/`),
      '1:10',
      /is reserved for Callboard itself; choose another vendor/,
    ],
  ),
  ['identity.name.format', HEAD.replace('Hello', '""'), '2:7', /expected a text that is not empty/],
  ...['1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+', '^1.0.0', '1.0.0 '].map(
    (version): Case => [
      'identity.version.semver',
      HEAD.replace('1.0.0', `'${version}'`),
      '3:10',
      /expected three numbers, such as 1\.0\.0/,
    ],
  ),
  // permissions
  ['permissions.format', `${HEAD}permissions: [Acme.hello]`, '4:15', /lower-case words with dots/],
  ['permissions.format', `${HEAD}permissions: [acme]`, '4:15', /lower-case words with dots/],
  ['permissions.format', `${HEAD}permissions: [acme.1x]`, '4:15', /begin with a letter, such as acme\.view/],
  ['permissions.format', tool('permission: acme.a-b'), '5:17', /^tools\[0\]\.permission: expected parts of a-z/],
  ['permissions.namespace', `${HEAD}permissions: [other.view]`, '4:15', /begins with "acme\."/],
  ['permissions.namespace', `${HEAD}permissions: [acmeo.view]`, '4:15', /begins with "acme\."/],
  ['permissions.namespace', tool('permission: cli.access'), '5:17', /permissions of its own only/],
  ['permissions.duplicate', `${HEAD}permissions: [acme.a, acme.a]`, '4:23', /once is enough/],
  ['permissions.undeclared', tool('permission: acme.view'), '5:17', /not among the `permissions`.*; add it there/],
  [
    'permissions.undeclared',
    `permissions: [acme.hello.view]\n${tool('permission: acme.hello.veiw')}`,
    '6:17',
    /did you mean acme\.hello\.view\?/,
  ],
  // tools
  ['tools.malformed', `${HEAD}tools: [x]`, '4:9', /expected a tool, a mapping with name and action/],
  ['tools.malformed', `${HEAD}tools: [{ name: acme.x }]`, '4:9', /^tools\[0\]\.action: this key is missing/],
  ['tools.malformed', tool('title:'), '5:11', /give it a value or remove the key/],
  ['tools.malformed', tool('title: ""'), '5:12', /a text that is not empty/],
  ['tools.malformed', tool('read_only: 1'), '5:16', /expected true or false, found a number/],
  ['tools.malformed', tool('surfaces: mcp'), '5:15', /expected a list, found text/],
  ['tools.malformed', tool('args: { message: string }'), '5:11', /expected a list, found a mapping/],
  ['tools.malformed', tool('args: [message]'), '5:12', /expected an argument such as \{ name: message/],
  ['tools.malformed', tool('args: [{ type: string }]'), '5:12', /args\[0\]\.name: this key is missing/],
  ['tools.malformed', tool('input_schema: object'), '5:19', /expected a mapping, found text/],
  ['tools.malformed', tool('tags: [{}]'), '5:12', /expected text, found a mapping/],
  ['tools.unknown', tool('readOnly: true'), '5:5', /unknown key; did you mean `read_only`\?/],
  ['tools.unknown', tool('args: [{ name: a, default: 1 }]'), '5:23', /known here: name, type, required, description/],
  ['tools.name.format', `${HEAD}tools: [{ name: echo, action: ./echo.ts }]`, '4:17', /lower-case words with dots/],
  ['tools.name.format', `${HEAD}tools: [{ name: acme.a-b, action: ./echo.ts }]`, '4:17', /such as acme\.echo/],
  ['tools.name.namespace', `${HEAD}tools: [{ name: other.echo, action: ./echo.ts }]`, '4:17', /begins with "acme\."/],
  ['tools.name.duplicate', `${tool('title: A')}  - { name: acme.hello.echo, action: ./echo.ts }`, '8:13', /\(line 6\)/],
  [
    'tools.name.long',
    `${HEAD}tools: [{ name: acme.hello.${'a'.repeat(40)}, action: ./echo.ts }]`,
    '4:17',
    /plugin-acme-hello-acme-hello-a+ has more than 48 characters/,
  ],
  ['tools.action.unwired', `${HEAD}tools: [{ name: acme.x, action: echo }]`, '4:33', /a name needs a `module`/],
  [
    'tools.action.unwired',
    `${HEAD}tools: [{ name: acme.x, action: 'App\\Tools\\Echo' }]`,
    '4:33',
    /a class of PHP does not run here/,
  ],
  [
    'tools.action.both',
    `${HEAD}module: ./wiring.ts\ntools: [{ name: acme.x, action: ./echo.ts }]`,
    '5:33',
    /seems to wire/,
  ],
  ['tools.contradiction', tool('read_only: true\ndestructive: true'), '6:18', /set one of them to false/],
  ['tools.surfaces.empty', tool('surfaces: []'), '5:15', /remove the key to offer it on both/],
  ['tools.surfaces.unknown', tool('surfaces: [web, mcp]'), '5:16', /expected mcp or cli$/],
  ['tools.surfaces.duplicate', tool('surfaces: [cli, cli]'), '5:15', /once is enough/],
  ['tools.args.name', tool("args: [{ name: 'a b' }]"), '5:20', /the APIs of models refuse any other/],
  ['tools.args.name', tool("args: [{ name: '' }]"), '5:20', /1 to 64/],
  ['tools.args.name', tool(`args: [{ name: ${'a'.repeat(65)} }]`), '5:20', /1 to 64/],
  ['tools.args.name', tool('args: [{ name: 名前 }]'), '5:20', /1 to 64/],
  ['tools.args.duplicate', tool('args: [{ name: a }, { name: a }]'), '5:33', /an argument "a" already \(line 5\)/],
  ['tools.args.type', tool('args: [{ name: a, type: strng }]'), '5:29', /did you mean string\?/],
  ['tools.args.type', tool('args: [{ name: a, type: date }]'), '5:29', /expected string, integer, int/],
  ['tools.args.twice', tool('args: []\ninput_schema: { type: object }'), '6:19', /keep one of the two/],
  // schemas
  ['tools.schema.object', schema('{ properties: {} }'), '5:19', /expected `type: object`/],
  ['tools.schema.object', schema('{ type: string }'), '5:27', /expected `type: object`/],
  ['tools.schema.object', schema('{ type: [object, "null"] }'), '5:27', /expected `type: object`/],
  ['tools.schema.object', tool('output_schema: { type: array }'), '5:28', /output_schema\.type: expected/],
  ['tools.schema.union', schema('{ type: object, anyOf: [{}] }'), '5:35', /several clients refuse a tool with anyOf/],
  ['tools.schema.union', schema('{ type: object, oneOf: [{}] }'), '5:35', /several clients/],
  ['tools.schema.union', schema('{ type: object, allOf: [{}] }'), '5:35', /several clients/],
  ['tools.schema.key', schema('{ type: object, properties: { "filter[x]": {} } }'), '5:49', /APIs of models refuse/],
  [
    'tools.schema.key',
    schema('{ type: object, properties: { a: { items: { properties: { "b c": {} } } } } }'),
    '5:77',
    /properties\.a\.items\.properties\."b c"/,
  ],
  ['tools.schema.pattern', schema('{ type: object, properties: { a: { pattern: "(?=x)" } } }'), '5:63', /looks around/],
  ['tools.schema.pattern', schema('{ type: object, patternProperties: { "(a)\\\\1": {} } }'), '5:56', /backreference/],
  ['tools.schema.unusable', schema('{ type: object, properties: { a: { $ref: "#/no" } } }'), '5:19', /leads out of/],
  ['tools.schema.unusable', schema('{ $schema: "http://x/y", type: object }'), '5:19', /dialect/],
  ['tools.schema.unusable', schema('{ type: object, required: a }'), '5:19', /a "required" of the wrong type/],
  // code
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: echo.ts }]`, '4:33', /write \.\/echo\.ts/],
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: /etc/passwd.js }]`, '4:33', /in its own folder/],
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: ../echo.ts }]`, '4:33', /leads out of the plugin's folder/],
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: ./a/../../echo.ts }]`, '4:33', /leads out/],
  [
    'code.path',
    `${HEAD}tools: [{ name: acme.x, action: '.\\echo.ts' }]`,
    '4:33',
    /write \/ between folders: \.\/echo\.ts/,
  ],
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: './tools.ts#a-b' }]`, '4:33', /the name of an export/],
  ['code.path', `${HEAD}tools: [{ name: acme.x, action: ./data.json }]`, '4:33', /ends with \.js or \.ts/],
  ['code.path', `${HEAD}module: plugin`, '4:9', /expected a module of the plugin/],
  ['code.path', `${HEAD}module: ./tools.ts#echo`, '4:9', /expected a module of the plugin/],
  [
    'code.missing',
    `${HEAD}tools: [{ name: acme.x, action: ./gone.ts }]`,
    '4:33',
    /no such file in the plugin's folder/,
  ],
  ['code.missing', `${HEAD}tools: [{ name: acme.x, action: ./echo.js }]`, '4:33', /did you mean \.\/echo\.ts\?/],
  ['code.missing', `${HEAD}tools: [{ name: acme.x, action: ./echo }]`, '4:33', /did you mean \.\/echo\.ts\?/],
  ['code.missing', `${HEAD}module: ./gone.ts`, '4:9', /no such file/],
  ['code.export', `${HEAD}tools: [{ name: acme.x, action: './tools.ts#ecoh' }]`, '4:33', /exports nothing called ecoh/],
  ['code.export', `${HEAD}tools: [{ name: acme.x, action: ./tools.ts }]`, '4:33', /has no default export/],
  ['code.then', `${HEAD}tools: [{ name: acme.x, action: ./then.ts }]`, '4:33', /it exports `then`.*another name/],
  ['code.then', `${HEAD}tools: [{ name: acme.x, action: ./listed-then.ts }]`, '4:33', /it exports `then`/],
  ['code.export', `${HEAD}module: ./tools.ts`, '4:9', /has no default export/],
]

describe('a breach of a rule is found at its place, with what was expected and the mend', () => {
  test.each(CASES)('%s: %j', async (rule, text, place, message) => {
    const folder = pluginFolder()
    folder.write('data.json', '{}')
    folder.write('wiring.ts', "export default (registrar) => registrar.tool( 'acme.x', () => 1)\n")
    const { findings } = await folder.read(text)
    const found = findings.filter((finding) => finding.rule === rule)
    expect(findings.map((finding) => finding.rule)).toContain(rule)
    const [first] = found
    expect(`${first?.line}:${first?.column}`).toBe(place)
    expect(first?.message).toMatch(message)
    expect(first?.level).toBe(RULES[rule])
  })
})

test('a folder without a manifest, or with two, is told', async () => {
  const folder = pluginFolder()
  const rules = async () => (await readManifest(folder.path)).findings.map(({ rule, message }) => [rule, message])
  expect(await rules()).toEqual([['file.missing', expect.stringContaining('there is no plugin.yaml')]])
  folder.write('Plugin.yml', HEAD)
  expect(await rules()).toEqual([['file.missing', expect.stringContaining('there is Plugin.yml')]])
  folder.write('plugin.yaml', HEAD)
  folder.write('signals.yaml', HEAD)
  expect(await rules()).toEqual([['file.both', expect.stringContaining('remove one')]])
  const gone = await readManifest(join(folder.path, 'gone'))
  expect(gone).toMatchObject({ manifest: undefined, findings: [{ rule: 'file.missing', line: 1, column: 1 }] })
  expect((await readManifest(join(folder.path, 'echo.ts'))).findings[0]?.rule).toBe('file.missing')
})

test('a manifest that is no text, no file or far too large is told', async () => {
  const folder = pluginFolder()
  expect(await folder.found(Buffer.from(`\uFEFF${HEAD}`, 'utf16le'))).toEqual([
    '1:1 file.encoding: this is not UTF-8 text; save it as UTF-8',
  ])
  expect(await folder.found('a'.repeat(200_000))).toEqual([
    '1:1 file.size: larger than 128 KB; divide it into several plugins',
  ])
  const other = pluginFolder()
  mkdirSync(join(other.path, 'plugin.yaml'))
  expect((await readManifest(other.path)).findings.map(({ rule }) => rule)).toEqual(['file.unreadable'])
})

test.skipIf(process.platform === 'win32')('a manifest that is a pipe is waited for by nobody', async () => {
  const folder = pluginFolder()
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder.path, 'plugin.yaml')])
  expect((await readManifest(folder.path)).findings.map(({ rule }) => rule)).toEqual(['file.unreadable'])
})

test('code that Node would not strip of its types is told', async () => {
  const folder = pluginFolder()
  folder.write('node_modules/a/echo.ts', 'export default 1\n')
  folder.write('node_modules/a/plugin.yaml', tool('title: A'))
  const { findings } = await readManifest(join(folder.path, 'node_modules/a'))
  expect(findings.map(({ rule, line }) => [rule, line])).toEqual([['code.typescript', 7]])
})

test('each rule is tried here', () => {
  const tried = new Set<string>([
    ...CASES.map(([rule]) => rule),
    'file.missing',
    'file.both',
    'file.unreadable',
    'file.size',
    'file.encoding',
    'code.typescript',
  ])
  expect(Object.keys(RULES).filter((rule) => !tried.has(rule))).toEqual([])
})

test('what may be right is not refused', async () => {
  const folder = pluginFolder()
  folder.write('dynamic.ts', 'module.exports = make()\n')
  folder.write('all.ts', "export * from './tools.ts'\n")
  const rules = async (text: string) => (await folder.read(text)).findings.map(({ rule }) => rule)
  expect(await rules(`${HEAD}tools: [{ name: acme.x, action: './dynamic.ts#any' }]`)).toEqual([])
  expect(await rules(`${HEAD}tools: [{ name: acme.x, action: './all.ts#echo' }]`)).toEqual([])
  expect(await rules(schema('{ type: object, properties: { a: { anyOf: [{}], default: { "b c": 1 } } } }'))).toEqual([])
  expect(await rules(schema("{ type: object, properties: { a: { enum: ['yes', 'no', '2026-01-01'] } } }"))).toEqual([])
  expect(await rules(tool('args: [{ name: x, type: number }, { name: y, type: number }]'))).toEqual([])
  expect(await rules(schema('{ type: object, properties: { "on": {}, y: {} } }'))).toEqual([])
  expect(await rules(tool('description: |\n  yes\n  2026-01-01'))).toEqual([])
  expect(await rules(HEAD.replace('acme/', '3-d.x/').replace('tools', ''))).toEqual([])
  const dashed = `${HEAD.replace('acme/', '3-d/')}permissions: [3-d.view]\ntools: [{ name: 3-d.echo, action: ./echo.ts, permission: 3-d.view }]`
  expect(await rules(dashed)).toEqual([])
})

test('a module that a link has outside of the folder is refused, and one is not whose folder is reached by a link', async () => {
  const folder = pluginFolder()
  const outside = mkdtempSync(join(tmpdir(), 'callboard-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  writeFileSync(join(outside, 'out.mjs'), 'export const secret = 1\n')
  symlinkSync(join(outside, 'out.mjs'), join(folder.path, 'out.mjs'))
  symlinkSync(outside, join(folder.path, 'away'))
  symlinkSync(join(folder.path, 'echo.ts'), join(folder.path, 'same.ts'))
  for (const action of ['./out.mjs', './away/out.mjs'])
    expect(await folder.found(`${HEAD}tools: [{ name: acme.x, action: ${action} }]`)).toEqual([
      expect.stringMatching(/^4:33 code.path: tools\[0\].action: it leads out of the plugin's folder by a link; /),
    ])
  await folder.read(`${HEAD}tools: [{ name: acme.x, action: ./same.ts }]`)
  symlinkSync(folder.path, join(outside, 'linked'))
  expect((await readManifest(join(outside, 'linked'))).findings).toEqual([])
  await folder.read(`${HEAD}tools: [{ name: acme.x, action: ./none.ts }]`)
  expect((await readManifest(join(outside, 'linked'))).findings).toMatchObject([{ rule: 'code.missing' }])
})
