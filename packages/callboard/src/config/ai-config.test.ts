import { expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'

const openai = { provider: 'OpenAI', model: 'gpt-5', apiKey: 'sk-1234567890' }
const ollama = { provider: 'ollama', model: 'llama3.2', baseUrl: 'http://127.0.0.1:11434/v1' }

function load(plugins: object, ai?: object) {
  return loadConfig({ data: { dataDir: '/tmp/x', plugins, ...(ai && { ai }) } })
}

function faultOf(plugins: object, ai?: object): string {
  try {
    load(plugins, ai)
  } catch (error) {
    return String(error).replace(/^CallboardError: /, '')
  }
  throw new Error('no fault')
}

test('a bridge has one provider or a list of them, each with what follows from its name', () => {
  const { plugins, secrets } = load({
    'bridge.openai': { ai: { ...openai, models: ['gpt-5-mini', 'gpt-5'], maxTokens: 500 } },
    'bridge.more': { ai: [ollama, { provider: 'claude', api: 'anthropic', model: 'm', apiKey: 'k'.repeat(9) }] },
  })
  expect(plugins.map((plugin) => plugin.kind === 'ai' && plugin.ai)).toEqual([
    [
      {
        provider: 'openai',
        api: 'openai',
        models: ['gpt-5', 'gpt-5-mini'],
        images: true,
        apiKey: 'sk-1234567890',
        maxTokens: 500,
      },
    ],
    [
      {
        provider: 'ollama',
        api: 'openai-compatible',
        models: ['llama3.2'],
        images: false,
        baseUrl: 'http://127.0.0.1:11434/v1',
      },
      { provider: 'claude', api: 'anthropic', models: ['m'], images: true, apiKey: 'k'.repeat(9) },
    ],
  ])
  expect(secrets.redact('sk-1234567890')).toBe('[secret]')
})

test('what holds for all providers is in small letters', () => {
  const { ai } = load(
    { a: { ai: openai }, b: { ai: ollama } },
    { default: 'OPENAI', fallback: ['OpenAI', 'ollama'], aliases: { Local: 'Ollama' }, owners: { OpenAI: 'a' } },
  )
  expect(ai).toEqual({
    default: 'openai',
    fallback: ['openai', 'ollama'],
    aliases: new Map([['local', 'ollama']]),
    owners: new Map([['openai', 'a']]),
  })
  expect(load({}).ai).toEqual({ fallback: [], aliases: new Map(), owners: new Map() })
})

test('a plugin of another kind serves the providers that it is marked with', () => {
  const { plugins, ai } = load(
    { old: { mcp: { command: 'x' }, provides: ['Claude', 'claude'] } },
    { default: 'claude' },
  )
  expect([plugins[0]?.provides, ai.default]).toEqual([['claude'], 'claude'])
})

test.each<[what: object, fault: string]>([
  [
    { a: { ai: { provider: 'openai', model: 'm' } } },
    "plugins.a.ai.apiKey: this key is missing; openai takes no call without one: apiKey: '${OPENAI_API_KEY}'",
  ],
  [
    { a: { ai: { provider: 'x', model: 'm' } } },
    'plugins.a.ai.baseUrl: this key is missing; expected the address of x, such as http://127.0.0.1:11434/v1, or another `api`',
  ],
  [
    { a: { ai: { ...ollama, baseUrl: 'localhost:11434' } } },
    'plugins.a.ai.baseUrl: expected an address that begins with http:// or https://',
  ],
  [
    { a: { ai: { ...ollama, baseUrl: 'http://u:p@h/v1' } } },
    'plugins.a.ai.baseUrl: expected an address without credentials, ? and #; a key belongs under `apiKey`',
  ],
  [{ a: { ai: { ...ollama, model: undefined } } }, 'plugins.a.ai.model: this key is missing; expected text'],
  [{ a: { ai: { ...ollama, modell: 'x' } } }, 'plugins.a.ai.modell: unknown key; did you mean `model`?'],
  [
    { a: { ai: { ...ollama, concurrency: 4 } } },
    'plugins.a.ai.concurrency: unknown key; known here: provider, api, model',
  ],
  [
    { a: { ai: { ...ollama, api: 'antropic' } } },
    'plugins.a.ai.api: expected openai, anthropic, google or openai-compatible; did you mean anthropic?',
  ],
  [
    { a: { ai: { ...ollama, provider: 'a b' } } },
    'plugins.a.ai.provider: expected the name of a provider, such as openai, of letters, digits, _ and -',
  ],
  [{ a: { ai: { ...ollama, maxTokens: 0 } } }, 'plugins.a.ai.maxTokens: expected at least 1'],
  [{ a: { ai: [] } }, 'plugins.a.ai: expected at least one provider'],
  [
    { a: { ai: [ollama, { ...openai, provider: 'Ollama', api: 'openai' }] } },
    'plugins.a.ai[1].provider: the provider ollama is there twice in this bridge; keep one',
  ],
  [{ a: { ai: 'openai' } }, 'plugins.a.ai: expected a mapping or a list, found text'],
  [{ a: { ai: ollama, provides: ['x'] } }, 'plugins.a.provides: `ai` says already which providers it serves'],
])('%j is refused with the mend', (plugins, fault) => {
  expect(faultOf(plugins)).toContain(fault)
})

test.each<[what: object, fault: string]>([
  [{ default: 'opnai' }, 'ai.default: no plugin serves the provider opnai; did you mean `openai`?'],
  [
    { fallback: ['openai', 'nobody-else'] },
    'ai.fallback[1]: no plugin serves the provider nobody-else; there are ollama, openai',
  ],
  [{ aliases: { gpt: 'openapi' } }, 'ai.aliases.gpt: no plugin serves the provider openapi; did you mean `openai`?'],
  [{ aliases: { Ollama: 'openai' } }, 'ai.aliases.Ollama: a provider has this name already; choose another'],
  [{ owners: { openai: 'b' } }, 'ai.owners.openai: expected a plugin that serves this provider: a'],
  [{ owners: { claude: 'b' } }, 'ai.owners.claude: no plugin serves the provider claude; there are ollama, openai'],
  [{ defualt: 'openai' }, 'ai.defualt: unknown key; did you mean `default`?'],
])('%j is refused, with the providers there are', (ai, fault) => {
  expect(faultOf({ a: { ai: openai }, b: { ai: ollama } }, ai)).toContain(fault)
})

test('a bridge that is switched off needs no key, and what is wrong with one is told once', () => {
  expect(
    load({ a: { ai: { provider: 'openai', model: 'm' }, enabled: false } }, { default: 'openai' }).ai.default,
  ).toBe('openai')
  expect(faultOf({ a: { ai: { provider: 'openai' } } }, { default: 'openai' }).split('\n')).toHaveLength(1)
  expect(faultOf({}, { default: 'openai' })).toContain('no plugin serves a provider; add one of kind `ai`')
})
