import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { jsonSchema } from './json-schema.ts'

test('the committed JSON Schema is what the source gives', () => {
  const committed = readFileSync(new URL('../../callboard.schema.json', import.meta.url), 'utf8')
  expect(committed, 'run `npm run schema`').toBe(`${JSON.stringify(jsonSchema(), null, 2)}\n`)
})

test('an editor sees the same faults as the loader', () => {
  const validate = new Ajv({ strict: false }).compile(jsonSchema())
  const right = [
    {},
    { $schema: 'x', expose: ['a_*'], limits: { timeout: 500 } },
    { plugins: { a: './a', b: { mcp: { command: 'x' }, timeout: '5s' } }, mcpServers: { c: { url: 'x', other: 1 } } },
  ]
  const wrong = [
    { usr: 'x' },
    { expose: 'some' },
    { limits: { timeout: 'soon' } },
    { plugins: { a: { mcp: { comand: 'x' } } } },
    { plugins: { a: { mcp: { command: 'x', url: 'y' } } } },
    { plugins: { a: { mcp: { command: 'x' }, local: 'y' } } },
    { mcpServers: { a: { command: 1 } } },
  ]
  expect(right.filter((config) => !validate(config))).toEqual([])
  expect(wrong.filter((config) => validate(config))).toEqual([])
})
