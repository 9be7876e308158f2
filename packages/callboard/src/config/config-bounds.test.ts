import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testFolder } from './testing/test-folder.ts'

/** Pieces of configs, so that random texts get past the parser often enough. */
const PIECES = [
  'plugins',
  'mcpServers',
  'servers',
  'users',
  'roles',
  'http',
  'mcp',
  'command',
  'url',
  'env',
  'args',
  'enabled',
  'tools',
  'overrides',
  'expose',
  'listen',
  'envFile',
  'dataDir',
  '__proto__',
  'constructor',
  'toString',
  'a/b',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ':',
  ': ',
  ',',
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  '? ',
  '*',
  '&a ',
  '!t ',
  '|\n',
  '>\n',
  '#',
  '//',
  '/*',
  '<<',
  '~',
  'null',
  'true',
  '1',
  '1e999',
  '.nan',
  '${',
  '${A}',
  '${B:-',
  '}',
  '$${',
  '\\',
  '\\u0000',
  '\0',
  '\uFEFF',
  '\uD800',
  '\t',
  '%Y',
  '---\n',
]

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
)

/** Values in the shape of a config, right and wrong. */
const { config } = fc.letrec((tie) => ({
  config: fc.dictionary(fc.constantFrom(...PIECES), tie('value'), { maxKeys: 5 }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('x', '${A}', 'http://x', '60s', '', '0.0.0.0:1'),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('config'),
  ),
}))

describe.each(['callboard.yaml', 'mcp.json'])('%s', (name) => {
  test('no text makes the loader throw anything but a config error', () => {
    const folder = testFolder()
    fc.assert(
      fc.property(text, (content) => {
        // `faults` throws whatever is not a config error.
        folder.faults(content, { A: 'x' }, name)
      }),
      { numRuns: 500 },
    )
  })

  test('nothing in the shape of a config does either', () => {
    const folder = testFolder()
    fc.assert(
      fc.property(config, (content) => {
        folder.faults(JSON.stringify(content), { A: 'x' }, name)
      }),
      { numRuns: 500 },
    )
  })
})

function filled(size: number, piece: (index: number) => string): string {
  let content = ''
  for (let index = 0; content.length < size; index++) content += piece(index)
  return content
}

const YAML_SIZE = 128 * 1024 - 200
const JSON_SIZE = 1_000_000

/** Texts that make careless readers slow: by name, what they are and how their first fault begins ('' for none). */
const LARGE: Readonly<Record<string, readonly [name: string, content: string, fault: RegExp]>> = {
  'a megabyte of YAML': ['a.yaml', ' '.repeat(JSON_SIZE), /larger than 128 KB/],
  'many unknown keys': ['a.yaml', filled(YAML_SIZE, (i) => `k${i}: v\n`), /^1:1: k0: unknown key/],
  'many plugins': ['a.yaml', `plugins:\n${filled(YAML_SIZE, (i) => `  p${i}: x\n`)}`, /^$/],
  'many faulty plugins': ['a.yaml', `plugins:\n${filled(YAML_SIZE, (i) => `  p${i}: {mcp: {comand: x}}\n`)}`, /comand/],
  'one key over and over': ['a.yaml', `plugins:\n${filled(YAML_SIZE, () => '  a: x\n')}`, /stands twice/],
  'many unknown roles': [
    'a.yaml',
    `roles:\n${filled(YAML_SIZE / 2, (i) => ` r${i}: [a]\n`)}users:\n${filled(YAML_SIZE / 2, (i) => ` u${i}: {roles: [r${i}x]}\n`)}`,
    /unknown role/,
  ],
  'open brackets': ['a.yaml', '['.repeat(YAML_SIZE), /nested too deeply/],
  'closing brackets': ['a.yaml', ']'.repeat(YAML_SIZE), /unexpected text/],
  dashes: ['a.yaml', '- '.repeat(YAML_SIZE / 2), /nested too deeply/],
  'deep indentation': ['a.yaml', filled(YAML_SIZE - 1000, (i) => `${' '.repeat(i)}a:\n`), /nested too deeply/],
  'aliases of aliases': [
    'a.yaml',
    `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`).join('\n')}`,
    /anchors and aliases/,
  ],
  'merge keys': ['a.yaml', 'plugins: &p { a: x }\nroles: { <<: *p }\n', /anchors and aliases/],
  'variables in one text': ['a.yaml', `user: "${'${A}'.repeat(YAML_SIZE / 4)}"`, /expected at most 128 characters/],
  'open variables': ['a.yaml', `user: "${'${'.repeat(YAML_SIZE / 2)}"`, /expected at most 128/],
  'many servers': ['a.json', `{"mcpServers":{${filled(JSON_SIZE, (i) => `"k${i}":{"command":"x","y":1},`)}}}`, /^$/],
  'many faulty servers': [
    'a.json',
    `{"mcpServers":{${filled(JSON_SIZE, (i) => `"k${i}":{"comand":"x"},`)}}}`,
    /command/,
  ],
  'one server over and over': [
    'a.json',
    `{"mcpServers":{${filled(JSON_SIZE, () => '"a":{},')}}}`,
    /expected `command`/,
  ],
  'many variables': [
    'a.json',
    `{"mcpServers":{"a":{"command":"x","args":[${filled(JSON_SIZE, (i) => `"\${V${i}}",`)}]}}}`,
    /the variable V0 is not set/,
  ],
  'open braces': ['a.json', '{"a":'.repeat(JSON_SIZE / 5), /nested too deeply/],
  'a long key': ['a.json', `{"mcpServers":{"${'.a'.repeat(JSON_SIZE / 2)}":{"command":"x"}}}`, /longer than the 128/],
}

test.each(Object.entries(LARGE))('%s: answered at once', (_, [name, content, fault]) => {
  const folder = testFolder()
  const before = process.cpuUsage()
  const [first = ''] = folder.faults(content, { A: 'x' }, name)
  const { user, system } = process.cpuUsage(before)
  expect(first).toMatch(fault)
  // Processor time, since other tests run beside this one; a quadratic reader needs minutes.
  expect((user + system) / 1e6).toBeLessThan(1)
})
