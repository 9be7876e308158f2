/** The registry: identity, replacement, absence, and what it refuses. */
import type { ToolDefinition } from '@callboard/sdk'
import { beforeEach, describe, expect, test } from 'vitest'
import { CallboardError } from '../errors.ts'
import { PluginToolRegistry } from './plugin-tool-registry.ts'

function tool(pluginId: string, name: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { package: pluginId, name, action: name, ...more }
}

let registry: PluginToolRegistry
beforeEach(() => {
  registry = new PluginToolRegistry()
})

/** The error with which a definition is refused; it may be anything, as from a plugin in JavaScript. */
function refusal(definition: unknown): CallboardError {
  try {
    Reflect.apply(registry.register, registry, [definition])
  } catch (error) {
    if (error instanceof CallboardError) return error
    throw error
  }
  throw new Error('it was registered')
}

test('a tool is found by its pair and by its namespaced name', () => {
  const echo = tool('acme/hello', 'acme.hello.echo')
  registry.register(echo)
  expect(registry.has('acme/hello', 'acme.hello.echo')).toBe(true)
  expect(registry.get('acme/hello', 'acme.hello.echo')).toBe(echo)
  expect(registry.getByNamespacedName('plugin:acme/hello:acme.hello.echo')).toBe(echo)
  expect([...registry.all()]).toEqual([['plugin:acme/hello:acme.hello.echo', echo]])
})

test('registering the pair again replaces the tool and leaves those of other plugins', () => {
  const other = tool('b', 'echo')
  for (const one of [tool('a', 'echo', { title: 'old' }), other, tool('a', 'echo', { title: 'new' })])
    registry.register(one)
  expect(registry.get('a', 'echo').title).toBe('new')
  expect(registry.getByNamespacedName('plugin:a:echo')?.title).toBe('new')
  expect(registry.forPackage('a')).toHaveLength(1)
  expect(registry.forPackage('b')).toEqual([other])
  expect(registry.all().size).toBe(2)
})

test('a tool that is not there is an error that names what is', () => {
  expect(registry.has('a', 'x')).toBe(false)
  expect(registry.getByNamespacedName('plugin:a:x')).toBeUndefined()
  expect(() => registry.get('a', 'x')).toThrow('plugin "a" has no tools')
  for (let at = 0; at < 12; at++) registry.register(tool('a', `t${at}`))
  expect(() => registry.get('a', 'x')).toThrow(/^plugin "a" has no tool "x"; it has "t0", .*"t9" and 2 more$/)
  expect(() => registry.get('a', 'x')).toThrow(expect.objectContaining({ code: 'not_found' }))
})

test('names that are parts of every object are names like others', () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    expect(registry.has(name, name)).toBe(false)
    registry.register(tool(name, name))
    expect(registry.get(name, name).name).toBe(name)
  }
  expect(registry.all().size).toBe(3)
})

test('flush forgets one plugin or all of them', () => {
  for (const one of [tool('a', 'x'), tool('a', 'y'), tool('b', 'x')]) registry.register(one)
  registry.flush('a')
  registry.flush('unknown')
  expect([...registry.all().keys()]).toEqual(['plugin:b:x'])
  expect(registry.forPackage('a')).toEqual([])
  registry.flush()
  expect(registry.all().size).toBe(0)
  expect(registry.has('b', 'x')).toBe(false)
})

test('a tool that is removed is gone, and one that is not there is passed over', () => {
  for (const one of [tool('a', 'x'), tool('a', 'y'), tool('b', 'x')]) registry.register(one)
  for (const name of ['x', 'x', 'never there']) registry.remove('a', name)
  registry.remove('unknown', 'x')
  expect([...registry.all().keys()]).toEqual(['plugin:a:y', 'plugin:b:x'])
  registry.remove('a', 'y')
  expect(() => registry.get('a', 'y')).toThrow('plugin "a" has no tools')
})

test('what it handed out does not change with it', () => {
  registry.register(tool('a', 'x'))
  const [all, ofA] = [registry.all(), registry.forPackage('a')]
  registry.flush()
  expect([all.size, ofA.length]).toEqual([1, 1])
})

describe('a definition', () => {
  test('with every field filled as the type says is taken', () => {
    const full = tool('a', 'x', {
      title: '',
      description: '',
      args: [{ name: 'n', type: 'integer', required: true, description: 'N' }],
      outputSchema: {},
      permission: 'a.x',
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
      streaming: true,
      surfaces: [],
      tags: ['t'],
      listed: { name: 'x' },
    })
    registry.register(full)
    expect(registry.get('a', 'x')).toBe(full)
  })

  test.each<[object, RegExp]>([
    [{ package: 'a b' }, /tool "x" of plugin "a b": `package` has to be the id of its plugin/],
    [{ package: 'a:b' }, /`package`/],
    [{ package: undefined }, /tool "x" of plugin \(undefined\): `package`/],
    [{ name: '' }, /tool "" of plugin "a": `name` has to be a text that is not empty/],
    [{ name: 7 }, /tool \(number\) of plugin "a": `name`/],
    [{ action: '' }, /`action` has to be/],
    [{ title: 1 }, /`title` has to be a text/],
    [{ description: null }, /`description` has to be a text/],
    [{ permission: '' }, /`permission` must not be empty; leave it out/],
    [{ readOnly: 'yes' }, /`readOnly` has to be true or false/],
    [{ inputSchema: [] }, /`inputSchema` has to be an object/],
    [{ outputSchema: 'x' }, /`outputSchema` has to be an object/],
    [{ surfaces: ['web'] }, /`surfaces` has to be a list of `mcp` and `cli`/],
    [{ surfaces: 'mcp' }, /`surfaces`/],
    [{ tags: [1] }, /`tags` has to be a list of texts/],
    [{ args: [], inputSchema: {} }, /both `args` and `inputSchema`; keep one/],
    [{ args: {} }, /`args` has to be a list/],
    [{ args: [null] }, /`args\[0\]` has no name/],
    [{ args: [{ name: '__proto__', type: 'string' }] }, /argument "__proto__" can't be validated/],
    [{ args: [{ name: 'n', type: 'text' }] }, /argument "n" is of type "text"; it has to be one of string, number/],
    [{ args: [{ name: 'n', type: 'string', required: 'no' }] }, /`required` of argument "n" has to be true or false/],
    [{ args: [{ name: 'n', type: 'string', description: 1 }] }, /`description` of argument "n" has to be a text/],
    [
      {
        args: [
          { name: 'n', type: 'string' },
          { name: 'n', type: 'string' },
        ],
      },
      /argument "n" is there twice/,
    ],
  ])('with %j is refused, and nothing is registered', (fault, message) => {
    const error = refusal({ ...tool('a', 'x'), ...fault })
    expect(error.message).toMatch(message)
    expect(error.code).toBe('config')
    expect(registry.all().size).toBe(0)
  })

  test.each([null, undefined, 'echo', []])('that is %j is refused', (definition) => {
    expect(refusal(definition).message).toMatch(/^a tool has to be an object/)
  })
})
