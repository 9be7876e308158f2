/** Arguments: each of the three ways to give them, with names that are traps in JavaScript. */
import type { ToolDefinition } from '@callboard/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { inputSchemaOf } from './arguments.ts'

const BASE: ToolDefinition = { package: 'acme/hello', name: 'echo', action: './echo.ts' }

test('a list of arguments is a closed object schema with its descriptions and what is required', () => {
  const args = [
    { name: 'message', type: 'string', required: true, description: 'What to say' },
    { name: 'count', type: 'integer', required: false },
    { name: 'tags', type: 'array' },
  ]
  expect(inputSchemaOf({ ...BASE, args })).toEqual({
    type: 'object',
    properties: {
      message: { type: 'string', description: 'What to say' },
      count: { type: 'integer' },
      tags: { type: 'array' },
    },
    required: ['message'],
    additionalProperties: false,
  })
})

test('an empty list of arguments allows none', () => {
  expect(inputSchemaOf({ ...BASE, args: [] })).toEqual({ type: 'object', properties: {}, additionalProperties: false })
})

test('a full schema is handed on as the same object', () => {
  const inputSchema = { type: 'object', $defs: { a: true }, 'x-own': 1 }
  expect(inputSchemaOf({ ...BASE, inputSchema })).toBe(inputSchema)
})

test('without either any object will do', () => {
  expect(inputSchemaOf(BASE)).toEqual({ type: 'object' })
})

test('arguments named like parts of every object are own properties and checked like others', () => {
  const schemaOf = (...names: readonly string[]) =>
    inputSchemaOf({ ...BASE, args: names.map((name) => ({ name, type: 'string', required: true })) })
  expect(JSON.parse(JSON.stringify(schemaOf('__proto__')))).toEqual(
    JSON.parse(`{"type": "object", "properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"],
      "additionalProperties": false}`),
  )
  const validate = new Ajv2020({ ownProperties: true }).compile(schemaOf('constructor', 'toString'))
  expect(validate({ constructor: 'b', toString: 'c' })).toBe(true)
  expect(validate({ constructor: 'b' })).toBe(false)
  expect(validate({ constructor: 1, toString: 'c' })).toBe(false)
})
