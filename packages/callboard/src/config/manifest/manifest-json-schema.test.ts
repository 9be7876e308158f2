import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { manifestJsonSchema } from './manifest-json-schema.ts'

test('the committed JSON Schema is what the source gives', () => {
  const committed = readFileSync(new URL('../../../plugin.schema.json', import.meta.url), 'utf8')
  expect(committed, 'run `npm run schema`').toBe(`${JSON.stringify(manifestJsonSchema(), null, 2)}\n`)
})

test('an editor sees what the reader sees', () => {
  const validate = new Ajv({ strict: false }).compile(manifestJsonSchema())
  const identity = { package: 'acme/hello', name: 'Hello', version: '1.0.0' }
  const tool = { name: 'acme.echo', action: './echo.ts' }
  const right = [
    identity,
    {
      ...identity,
      $schema: 'x',
      module: './plugin.ts',
      permissions: ['acme.view'],
      signals_version: '^1.0',
      hooks: [],
    },
    { ...identity, tools: [{ ...tool, surfaces: ['cli'], args: [{ name: 'a' }, { name: 'b', type: 'int' }] }] },
    { ...identity, tools: [{ ...tool, input_schema: { type: 'object' }, read_only: true, tags: ['x'] }] },
  ]
  const wrong = [
    { ...identity, package: 'hello' },
    { ...identity, version: 'v1' },
    { package: 'acme/hello', name: 'Hello' },
    { ...identity, permisions: [] },
    { ...identity, permissions: ['View'] },
    ...[
      { action: './echo.ts' },
      { ...tool, readOnly: true },
      { ...tool, read_only: 'yes' },
      { ...tool, surfaces: [] },
      { ...tool, surfaces: ['web'] },
      { ...tool, args: [{ name: 'a b' }] },
      { ...tool, args: [{ name: 'a', type: 'date' }] },
      { ...tool, args: [{ name: 'a', default: 1 }] },
      { ...tool, args: [], input_schema: {} },
    ].map((wrongTool) => ({ ...identity, tools: [wrongTool] })),
  ]
  expect(right.filter((manifest) => !validate(manifest))).toEqual([])
  expect(wrong.filter((manifest) => validate(manifest))).toEqual([])
})
