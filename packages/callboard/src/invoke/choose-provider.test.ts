import type { JsonSchema } from '@callboard/sdk'
import { describe, expect, test } from 'vitest'
import { type CatalogTool, mergedTool } from '../catalog/catalog-tool.ts'
import { callSchema } from '../catalog/provider-argument.ts'
import { chooseProvider, type ProviderRules } from './choose-provider.ts'

function offer(provider: string, properties: JsonSchema = { prompt: {} }): CatalogTool {
  const pluginId = `bridge.${provider}`
  return {
    entry: {
      name: 'ai_prompt',
      description: '',
      pluginId,
      category: 'ai',
      providers: [provider],
      namespacedName: `plugin:${pluginId}:ai_prompt`,
      declaredName: 'ai_prompt',
    },
    definition: {
      package: pluginId,
      name: 'ai_prompt',
      action: 'ai_prompt',
      inputSchema: { type: 'object', properties, additionalProperties: false },
    },
  }
}

const both = mergedTool([offer('openai'), offer('ollama')])
const three = mergedTool([offer('openai'), offer('claude'), offer('ollama')])
const plain: CatalogTool = { ...offer('x'), entry: { ...offer('x').entry, name: 'echo', providers: [] } }

interface Call {
  readonly provider?: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

function choose(tool: CatalogTool, call: Call = {}, rules: Partial<ProviderRules> = {}) {
  const choice = chooseProvider(tool, { arguments: {}, ...call }, { fallback: [], aliases: new Map(), ...rules })
  return {
    provider: choice.tool.entry.providers.join(),
    others: choice.others.map(({ entry }) => entry.providers.join()),
    arguments: choice.arguments,
  }
}

describe('the provider of a call', () => {
  test('is the one that is named, in any case, as an option or as an argument', () => {
    expect(choose(both, { provider: 'OLLAMA' }).provider).toBe('ollama')
    expect(choose(both, { arguments: { provider: 'Ollama', prompt: 'x' } })).toEqual({
      provider: 'ollama',
      others: [],
      arguments: { prompt: 'x' },
    })
    expect(choose(both, { provider: 'openai', arguments: { provider: 'openai' } }).provider).toBe('openai')
  })

  test('is the default where none is named, else the only one', () => {
    expect(choose(both, {}, { default: 'ollama' }).provider).toBe('ollama')
    expect(choose(offer('claude'), {}, { default: 'ollama' }).provider).toBe('claude')
  })

  test('goes by an alias where the config has it, and by none otherwise', () => {
    expect(choose(both, { provider: 'Local' }, { aliases: new Map([['local', 'ollama']]) }).provider).toBe('ollama')
    expect(() => choose(both, { provider: 'local' })).toThrow('has no provider "local"; choose one of ollama, openai')
  })

  test('is never another than the one that was named', () => {
    const rules = { default: 'openai', fallback: ['openai', 'ollama'] }
    expect(() => choose(both, { provider: 'claude' }, rules)).toThrow(
      '"ai_prompt" has no provider "claude"; choose one of ollama, openai',
    )
    expect(choose(both, { provider: 'openai' }, rules).others).toEqual([])
  })

  test('has to be named where there are several and no default among them', () => {
    for (const rules of [{}, { default: 'claude' }])
      expect(() => choose(both, {}, rules)).toThrow('"ai_prompt" needs a provider: one of ollama, openai')
  })

  test('is no matter of a tool without providers, whose argument of that name is its own', () => {
    expect(choose(plain, { arguments: { provider: 'x' } }).arguments).toEqual({ provider: 'x' })
    expect(() => choose(plain, { provider: 'x' })).toThrow('"echo" takes no provider; leave it out')
    const own = mergedTool([offer('a', { provider: { type: 'integer' } }), offer('b')])
    expect(choose(own, { provider: 'b', arguments: { provider: 3 } })).toMatchObject({
      provider: 'b',
      arguments: { provider: 3 },
    })
  })

  test('is refused when it is no text, or said twice in different ways', () => {
    expect(() => choose(both, { arguments: { provider: 3 } })).toThrow('takes the name of a provider as `provider`')
    expect(() => choose(both, { provider: 'openai', arguments: { provider: 'ollama' } })).toThrow(
      'is given two providers, "openai" and "ollama"; leave one out',
    )
  })

  test('may be followed by those of the fallback that the caller may use, in its order', () => {
    const rules = { default: 'openai', fallback: ['openai', 'gone', 'ollama', 'claude'] }
    expect(choose(three, {}, rules).others).toEqual(['ollama', 'claude'])
    expect(choose(both, {}, rules).others).toEqual(['ollama'])
    expect(choose(offer('openai'), {}, rules).others).toEqual([])
  })
})

describe('the schema of a call by the tool’s own name', () => {
  test('has the providers as one more argument', () => {
    expect(callSchema(both)).toMatchObject({
      type: 'object',
      properties: { prompt: {}, provider: { enum: ['ollama', 'openai'] } },
      additionalProperties: false,
    })
    expect(callSchema(plain)).toBe(plain.definition.inputSchema)
  })

  test('takes each argument in the form of any of the providers', () => {
    const tool = mergedTool([
      offer('a', { model: { enum: ['x'] } }),
      offer('b', { model: { enum: ['y'] }, images: {} }),
    ])
    expect(callSchema(tool).properties).toMatchObject({
      model: { anyOf: [{ enum: ['x'] }, { enum: ['y'] }] },
      images: {},
    })
  })

  test('is the tool’s own where that has an argument of the name', () => {
    const tool = mergedTool([offer('a', { provider: { type: 'integer' } }), offer('b')])
    expect(callSchema(tool)).toBe(tool.definition.inputSchema)
  })
})
