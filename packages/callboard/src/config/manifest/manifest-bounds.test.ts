import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PluginToolRegistry } from '../../tools/plugin-tool-registry.ts'
import { MAX_YAML_BYTES } from '../parse-yaml.ts'
import type { ManifestReading } from './read-manifest.ts'
import { RULES } from './rules.ts'
import { pluginFolder } from './testing/plugin-folder.ts'

const WHOLE = `package: acme/hello
name: Hello
version: 1.0.0
module: ./echo.ts
permissions: [acme.hello.view]
tools:
  - name: acme.hello.echo
    title: "Echo Hello"
    description: |
      Echo a message
    action: ./tools.ts#echo
    permission: acme.hello.view
    read_only: true
    idempotent: true
    surfaces: [mcp, cli]
    args:
      - { name: message, type: string, required: false, description: Optional message }
    tags: [a, b]
  - name: acme.hello.find
    action: find
    input_schema: { type: object, properties: { query: { type: string, pattern: "^a+$" } }, required: [query] }
    output_schema:
      type: object
      properties:
        hits: { type: array, items: { $ref: "#/$defs/hit" } }
      $defs: { hit: { enum: [1, x, null] } }
hooks: []
`

/** Pieces of manifests, and what is a trap somewhere. */
const PIECES = [
  ...['package', 'name', 'version', 'tools', 'permissions', 'module', 'action', 'args', 'type', 'surfaces', 'tags'],
  ...['input_schema', 'output_schema', 'properties', 'pattern', '$ref', 'required', 'enum', '__proto__', 'constructor'],
  ...[
    'acme/hello',
    'acme.hello.echo',
    './echo.ts',
    '../',
    '#',
    '\\',
    '/',
    'object',
    'string',
    '(a+)+$',
    '(?=x)',
    '[a-',
  ],
  ...['"', "'", '{', '}', '[', ']', ':', ': ', ',', '\n', '\n  ', '\n    ', '- ', '? ', '*', '&a ', '*a', '!t ', '|\n'],
  ...[
    '<<',
    '<<: ',
    '~',
    'null',
    'true',
    'yes',
    'on',
    '1',
    '010',
    '1e999',
    '.nan',
    '2026-01-01',
    '---\n',
    '...\n',
    '%Y',
  ],
  ...['\t', '\0', '\u001b[2J', '\u009b', '\u202e', '\uFEFF', '\\uD800', '\\u0000', '\u2028', '\r', '😀', 'ﬀ', '名'],
]

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
)

/** The whole manifest with some stretches cut out and pieces put in their places. */
const mutated = fc
  .array(fc.record({ at: fc.nat(WHOLE.length), cut: fc.nat(12), put: fc.oneof(fc.constantFrom(...PIECES), anyText) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((edits) => edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), WHOLE))

/** Values in the shape of a manifest, right and wrong, as JSON, which is YAML. */
const { manifest } = fc.letrec((tie) => ({
  manifest: fc.record(
    {
      package: fc.oneof(fc.constant('acme/hello'), tie('value')),
      name: fc.oneof(fc.constant('Hello'), tie('value')),
      version: fc.oneof(fc.constant('1.0.0'), tie('value')),
      permissions: fc.oneof(fc.constant(['acme.view']), tie('value')),
      tools: fc.oneof(fc.array(tie('tool'), { maxLength: 3 }), tie('value')),
    },
    { requiredKeys: ['package', 'name', 'version'] },
  ),
  tool: fc.record(
    {
      name: fc.oneof(fc.constantFrom('acme.a', 'acme.b', 'acme.c'), tie('value')),
      action: fc.oneof(fc.constantFrom('./echo.ts', './tools.ts#echo'), tie('value')),
      title: fc.oneof(fc.string(), tie('value')),
      permission: fc.oneof(fc.constant('acme.view'), tie('value')),
      read_only: fc.oneof(fc.boolean(), tie('value')),
      surfaces: fc.oneof(fc.subarray(['mcp', 'cli']), tie('value')),
      args: fc.oneof(fc.array(tie('argument'), { maxLength: 3 }), tie('value')),
      input_schema: fc.oneof(tie('schema'), tie('value')),
      tags: fc.oneof(fc.array(fc.string()), tie('value')),
    },
    { requiredKeys: ['name', 'action'] },
  ),
  argument: fc.record({
    name: fc.oneof(fc.string(), fc.constantFrom('a', 'b')),
    type: fc.constantFrom('int', 'string'),
  }),
  schema: fc.dictionary(fc.constantFrom('type', 'properties', 'pattern', 'required', '$ref', 'items'), tie('value')),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...PIECES),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...PIECES), tie('value'), { maxKeys: 2 }),
  ),
}))

/** What holds of every reading. */
function checkReading({ manifest, findings }: ManifestReading): void {
  const levels: Readonly<Record<string, string>> = RULES
  expect(manifest === undefined).toBe(findings.some(({ level }) => level === 'error'))
  let last = { line: 0, column: 0 }
  for (const { rule, level, message, line, column } of findings) {
    expect(level).toBe(levels[rule])
    expect(message).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u)
    expect(message.length).toBeLessThan(500)
    expect(message.isWellFormed()).toBe(true)
    expect(line > last.line || (line === last.line && column >= last.column)).toBe(true)
    last = { line, column }
  }
  const registry = new PluginToolRegistry()
  for (const tool of manifest?.tools ?? []) registry.register(tool)
}

test.each([
  ['text', anyText],
  ['mutated manifest', mutated],
  ['thing in the shape of a manifest', manifest.map((value) => JSON.stringify(value))],
])('no %s makes the reader throw, and what it takes can be registered', async (_, texts) => {
  const folder = pluginFolder()
  await fc.assert(
    fc.asyncProperty(texts, async (text) => checkReading(await folder.read(text))),
    { numRuns: 500 },
  )
})

test('no bytes make the reader throw', async () => {
  const folder = pluginFolder()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => checkReading(await folder.read(bytes))),
  )
})

const HEAD = 'package: acme/hello\nname: Hello\nversion: 1.0.0\n'
const SIZE = MAX_YAML_BYTES - 200

/** Pieces, whole ones, up to a size. */
function filled(size: number, piece: (index: number) => string): string {
  let content = ''
  for (let index = 0; ; index++) {
    const next = piece(index)
    if (content.length + next.length > size) return content
    content += next
  }
}

function tools(piece: (index: number) => string): string {
  return `${HEAD}tools:\n${filled(SIZE, (index) => `  - { name: acme.t${index}, action: ./echo.ts, ${piece(index)} }\n`)}`
}

function schemas(piece: (index: number) => string): string {
  return tools((index) => `input_schema: { type: object, ${piece(index)} }`)
}

/** Texts that make careless readers slow, with a rule that they break ('' for none). */
const LARGE: Readonly<Record<string, readonly [text: string, rule: string]>> = {
  'a megabyte of anything': ['a: 1\n'.repeat(200_000), 'file.size'],
  'many tools': [tools(() => 'title: A'), ''],
  'many tools with arguments': [tools(() => 'args: [{ name: a }, { name: b, type: int }]'), ''],
  'one tool over and over': [tools(() => 'title: A').replace(/acme\.t\d+/g, 'acme.t'), 'tools.name.duplicate'],
  'many unknown keys': [HEAD + filled(SIZE, (index) => `k${index}: v\n`), 'manifest.unknown'],
  'many unknown keys of tools': [tools((index) => `read_onli${index}: true`), 'tools.unknown'],
  'one key over and over': [HEAD + filled(SIZE, () => 'k: v\n'), 'yaml.duplicate'],
  'many permissions': [`${HEAD}permissions:\n${filled(SIZE, (index) => `  - acme.p${index}\n`)}`, ''],
  'many foreign permissions': [`${HEAD}permissions:\n${filled(SIZE, () => '  - x.y\n')}`, 'permissions.namespace'],
  'many undeclared permissions': [
    `${HEAD}permissions:\n${filled(SIZE / 3, (index) => `  - acme.p${index}\n`)}tools:\n${filled(SIZE / 2, (index) => `  - { name: acme.t${index}, action: ./echo.ts, permission: acme.q${index} }\n`)}`,
    'permissions.undeclared',
  ],
  'many modules that are not there': [
    `${HEAD}tools:\n${filled(SIZE, (index) => `  - { name: acme.t${index}, action: ./${index}.ts }\n`)}`,
    'code.missing',
  ],
  'many arguments': [tools((index) => `args: [${`{ name: a${index} }, `.repeat(20)}]`), 'tools.args.duplicate'],
  'many surfaces': [`${HEAD}tools: [{ surfaces: [${'cli, '.repeat(SIZE / 5)}] }]`, 'tools.surfaces.duplicate'],
  'many schemas': [schemas(() => 'properties: { a: { type: string } }'), ''],
  'many subschemas': [schemas(() => `allOf: [${'{}, '.repeat(1_500)}]`), 'tools.schema.union'],
  'schemas that refer to all levels of themselves': [
    schemas(
      () =>
        `properties: ${'{ a: { $ref: "#/properties/a", properties: '.repeat(25)}{}${' } }'.repeat(25)}, $defs: { b: { $ref: "#/properties/a/properties/a" } }`,
    ),
    '',
  ],
  'dear patterns': [
    schemas((index) => `properties: { a: { pattern: "(\\\\p{L}{70})${index}" }, b: { pattern: "\\\\p{L}{75}" } }`),
    'tools.schema.unusable',
  ],
  'patterns that backtrack': [schemas((index) => `properties: { a: { pattern: "^(a+)+${index}$" } }`), ''],
  'patterns that are none': [schemas((index) => `properties: { a: { pattern: "(${index}" } }`), 'tools.schema.pattern'],
  'a package that makes the pattern of Composer backtrack': [
    `package: ${'a'.repeat(SIZE)}!\n`,
    'identity.package.format',
  ],
  'a package of dots': [`package: a/${'a.'.repeat(SIZE / 2)}!\n`, 'identity.package.format'],
  'a version of dots': [`version: 1.0.0-${'1a.'.repeat(SIZE / 3)}!\n`, 'identity.version.semver'],
  'a version of digits': [`version: 1.0.0-${'1'.repeat(SIZE)}!\n`, 'identity.version.semver'],
  'a name of dots': [`${HEAD}tools: [{ name: ${'a.'.repeat(SIZE / 2)}! }]`, 'tools.name.format'],
  'a long number': [`name: ${'1'.repeat(SIZE)}`, 'yaml.number'],
  'a long name': [`name: ${'_'.repeat(SIZE)}`, 'identity.name.format'],
  'open brackets': ['['.repeat(SIZE), 'yaml.depth'],
  'closing brackets': [']'.repeat(SIZE), 'yaml.syntax'],
  quotes: ['"'.repeat(SIZE), 'yaml.syntax'],
  dashes: ['- '.repeat(SIZE / 2), 'yaml.depth'],
  anchors: [filled(SIZE, () => '- &a b\n'), 'yaml.alias'],
  tags: [filled(SIZE, () => '- !a b\n'), 'yaml.tag'],
  documents: [filled(SIZE, () => '---\n'), 'yaml.documents'],
  'items of a list at the top': [filled(SIZE, () => '- a\n'), 'manifest.malformed'],
  'deep indentation': [filled(SIZE, (index) => `${' '.repeat(index)}a:\n`), 'yaml.depth'],
  'aliases of aliases': [
    `a0: &a0 [x]\n${filled(2_000, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`)}`,
    'yaml.alias',
  ],
}

test.each(Object.entries(LARGE))('%s: answered at once', async (_, [text, rule]) => {
  const folder = pluginFolder()
  folder.write('plugin.yaml', text)
  const before = process.cpuUsage()
  const { findings } = await folder.read(text)
  const { user, system } = process.cpuUsage(before)
  expect(findings.find((finding) => rule === '' || finding.rule === rule)?.rule).toBe(rule || undefined)
  // Processor time, since other tests run beside this one; a quadratic reader needs minutes.
  expect((user + system) / 1e6).toBeLessThan(1)
})
