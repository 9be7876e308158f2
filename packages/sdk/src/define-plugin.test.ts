import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { definePlugin, type ToolArguments, type ToolOptions, tool } from './index.ts'

const run = () => 'done'

/** What TypeScript would refuse, as JavaScript may write it. */
function untyped(options: unknown): ToolOptions<ToolArguments | undefined> {
  return options as ToolOptions<ToolArguments | undefined>
}

describe('definePlugin', () => {
  test('makes a definition of each tool, with the id of its plugin and what it says', () => {
    const options = { description: 'Echo', permission: 'acme.hello.view', readOnly: true, tags: ['demo'] } as const
    const plugin = definePlugin({ id: 'acme/hello', tools: [tool({ name: 'acme.hello.echo', ...options, run })] })
    expect(plugin.tools.map(({ definition }) => definition)).toEqual([
      { package: 'acme/hello', name: 'acme.hello.echo', action: 'acme.hello.echo', args: [], ...options },
    ])
    expect(plugin.tools[0]?.run).toBe(run)
  })

  test.each(['', 'a b', 'a/b/c', '/a', 'a:b'])('refuses the id %j', (id) => {
    expect(() => definePlugin({ id, tools: [] })).toThrow(/`id` has to be vendor\/name/)
  })

  test('refuses two tools of one name', () => {
    const echo = tool({ name: 'echo', run })
    expect(() => definePlugin({ id: 'acme', tools: [echo, echo] })).toThrow(
      'plugin "acme": there are two tools named "echo"; rename one',
    )
  })
})

describe('tool', () => {
  test.each([
    [{ name: '', run }, '`name` has to be a text'],
    [{ name: 'a' }, '`run` has to be the function'],
    [{ name: 'a', readOnly: true, destructive: true, run }, 'it is `readOnly` and `destructive`'],
    [{ name: 'a', args: 'x', run }, '`args` has to be a schema of a library or a list'],
    [{ name: 'a', args: [], inputSchema: {}, run }, 'it has a list of `args` and an `inputSchema`; keep one'],
    [{ name: 'a', args: z.array(z.string()), run }, 'its `args` are of type "array"'],
  ])('refuses %j', (options, fault) => {
    expect(() => tool(untyped(options))).toThrow(fault)
  })

  test('a tool without arguments takes none, and one with a JSON Schema takes what that says', () => {
    expect(tool({ name: 'a', run }).definition.args).toEqual([])
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(tool({ name: 'a', inputSchema, run }).definition).toEqual({ name: 'a', action: 'a', inputSchema })
  })

  test.each([
    ['Zod', z.object({ count: z.string().transform(Number), unit: z.enum(['m', 'ft']).optional() })],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({ count: v.pipe(v.string(), v.transform(Number)), unit: v.optional(v.picklist(['m', 'ft'])) }),
      ),
    ],
    ['ArkType', type({ count: 'string.numeric.parse', 'unit?': "'m' | 'ft'" })],
  ])('a schema of %s gives the JSON Schema of what goes into it', (_library, args) => {
    const { definition, schema } = tool({ name: 'a', args, run })
    expect(definition.inputSchema).toMatchObject({
      type: 'object',
      properties: { count: { type: 'string' }, unit: { enum: expect.arrayContaining(['m', 'ft']) } },
      required: ['count'],
    })
    expect(definition.inputSchema).not.toHaveProperty('$schema')
    expect(definition.args).toBeUndefined()
    expect(schema).toBe(args)
  })

  test('a schema that can’t say its JSON Schema needs one beside it', () => {
    const args = v.object({ count: v.number() })
    expect(() => tool({ name: 'a', args, run })).toThrow(
      'tool "a": a schema of valibot that can\'t say its own JSON Schema (StandardJSONSchemaV1); give that as `inputSchema` too',
    )
    const inputSchema = { type: 'object', properties: { count: { type: 'number' } } }
    expect(tool({ name: 'a', args, inputSchema, run })).toMatchObject({ definition: { inputSchema }, schema: args })
  })

  test('a schema without a JSON Schema says why, and asks for one', () => {
    expect(() => tool({ name: 'a', args: z.object({ at: z.date() }), run })).toThrow(
      /^tool "a": a schema of zod without a JSON Schema \(Date .*\); give that as `inputSchema` too$/,
    )
  })

  test('an output schema is a JSON Schema, or that of what comes out of a library’s schema', () => {
    const outputSchema = z.object({ at: z.string().default('now') })
    expect(tool({ name: 'a', outputSchema, run }).definition.outputSchema).toMatchObject({ required: ['at'] })
    expect(tool({ name: 'a', outputSchema: { type: 'object' }, run }).definition.outputSchema).toEqual({
      type: 'object',
    })
  })

  test('the action is given what the schema puts out, by type', () => {
    tool({
      name: 'zod',
      args: z.object({ count: z.string().transform(Number), unit: z.enum(['m', 'ft']).default('m') }),
      run: (args) => expectTypeOf(args).toEqualTypeOf<{ count: number; unit: 'm' | 'ft' }>(),
    })
    tool({
      name: 'valibot',
      args: v.object({ count: v.pipe(v.string(), v.transform(Number)) }),
      inputSchema: { type: 'object' },
      run: (args) => expectTypeOf(args).toEqualTypeOf<{ count: number }>(),
    })
    tool({
      name: 'arktype',
      args: type({ count: 'string.numeric.parse' }),
      run: (args) => expectTypeOf(args).toEqualTypeOf<{ count: number }>(),
    })
    tool({
      name: 'list',
      args: [
        { name: 'message', type: 'string', required: true },
        { name: 'times', type: 'integer' },
        { name: 'tags', type: 'array', required: false },
      ],
      run: ({ message, times, tags }) => {
        expectTypeOf(message).toEqualTypeOf<string>()
        expectTypeOf(times).toEqualTypeOf<number | undefined>()
        expectTypeOf(tags).toEqualTypeOf<unknown[] | undefined>()
      },
    })
    tool({
      name: 'json schema',
      inputSchema: { type: 'object' },
      run: (args) => expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>(),
    })
  })
})
