import { describe, expect, test } from 'vitest'
import { Secrets } from '../secrets.ts'
import { holdsCredential, rememberLiterals, rememberVariable, type SecretPlaces } from './secret-values.ts'
import { testFolder } from './testing/test-folder.ts'

function redacted(places: SecretPlaces, text: string): string {
  const secrets = new Secrets()
  rememberLiterals(places, secrets)
  return secrets.redact(text)
}

test.each<[boolean, SecretPlaces]>([
  [true, { env: { ANYTHING: 'x' } }],
  [true, { headers: { 'X-Tenant': 'a' } }],
  [true, { url: 'https://ana:hunter2@example.com/mcp' }],
  [true, { url: 'https://example.com/mcp?api_key=hunter2' }],
  [true, { args: ['--token', 'hunter2'] }],
  [true, { args: ['--api-key=hunter2'] }],
  [false, { args: ['--verbose', 'stdio'], env: {} }],
  [false, { url: 'https://example.com/mcp?page=1', headers: {} }],
])('says %j of the credential in %j', (holds, places) => {
  expect(holdsCredential(places)).toBe(holds)
})

describe('what a config holds as it is', () => {
  test.each<[SecretPlaces, string, string]>([
    [{ headers: { Authorization: 'Bearer abc-123' } }, 'Bearer abc-123', 'Bearer [secret]'],
    [{ headers: { authorization: 'abc-123' } }, 'abc-123', '[secret]'],
    [{ headers: { Cookie: 'sid=abc-123' } }, 'sid=abc-123', '[secret]'],
    [
      { headers: { Authorization: `Basic ${btoa('ana:hunter22')}` } },
      `hunter22 ${btoa('ana:hunter22')}`,
      '[secret] [secret]',
    ],
    [{ headers: { Accept: 'text/html' } }, 'text/html', 'text/html'],
    [{ env: { GITHUB_TOKEN: 'abc-123', apiKey: 'def-456' } }, 'abc-123 def-456', '[secret] [secret]'],
    [{ env: { DB: 'postgres://ana:abc-123@db/x' } }, 'abc-123 at db', '[secret] at db'],
    [{ env: { DB_PASSWORD: '123456' } }, '123456', '[secret]'],
    [{ env: { DB_PWD: 'abc-123', PWD: '/srv', OLDPWD: '/home' } }, 'abc-123 /srv /home', '[secret] /srv /home'],
    [
      { env: { LOG_LEVEL: 'debug', AUTH_MODE: 'none', KEYBOARD: 'qwerty', GIT_AUTHOR: 'anabel' } },
      'debug none qwerty anabel',
      'debug none qwerty anabel',
    ],
    [
      { args: ['--api-key', 'abc-123', '--token=def-456', '--verbose', 'yes'] },
      'abc-123 def-456 yes',
      '[secret] [secret] yes',
    ],
    [{ args: ['--header', 'Authorization: Bearer abc-123'] }, 'Bearer abc-123', 'Bearer [secret]'],
    [{ args: ['https://x.example/?api_key=abc-123&page=next'] }, 'abc-123 next', '[secret] next'],
    [{ url: 'https://abc-123@x.example/' }, 'abc-123', '[secret]'],
    [
      { url: 'https://ana:p%40ss-1@x.example/?token=t%2Fu-1' },
      'p%40ss-1 p@ss-1 t%2Fu-1 t/u-1 anax',
      '[secret] [secret] [secret] [secret] anax',
    ],
    [{ url: 'http://joe:hunter2@x.example/' }, `Basic ${btoa('joe:hunter2')} hunter2`, 'Basic [secret] [secret]'],
    [{ url: 'http://joe:p%40ss-1@x.example/' }, btoa('joe:p@ss-1'), '[secret]'],
    [{ url: 'https://abc-123@x.example/' }, btoa('abc-123:'), '[secret]'],
    [{ args: ['--proxy', 'http://joe:hunter2@x.example/'] }, btoa('joe:hunter2'), '[secret]'],
    [{ apiKey: 'abc-123' }, 'abc-123', '[secret]'],
  ])('%j hides its secrets and nothing else', (places, text, expected) => {
    expect(redacted(places, text)).toBe(expected)
  })
})

test('a variable’s value is a secret, unless it says where something is or is a word of every log', () => {
  const secrets = new Secrets()
  rememberVariable('ANYTHING', 'abc-123', secrets)
  rememberVariable('HOME', '/home/ana', secrets)
  rememberVariable('LEVEL', 'info', secrets)
  rememberVariable('PORT', '8080', secrets)
  rememberVariable('PASSWORD', 'test', secrets)
  expect(secrets.redact('abc-123 /home/ana info 8080 test')).toBe('[secret] /home/ana info 8080 [secret]')
})

test('secrets are what reaches a plugin; a default, a prefix or a user’s name is none', () => {
  const folder = testFolder()
  folder.load(
    `
user: '\${WHO}'
users: { anabel: {} }
plugins:
  a: { prefix: '\${PREFIX}', mcp: { command: '\${COMMAND}', args: ['\${ARG}', '\${GONE:-default-1}'], cwd: '\${DIR}' } }
  b: { external: { command: x, env: { T: '\${ENV}' } } }
  c: { ai: { provider: openai, model: x, apiKey: literal-1 } }
`,
    { WHO: 'anabel', PREFIX: 'prefix-1', COMMAND: 'command-1', ARG: 'arg-0001', DIR: 'dir-0001', ENV: 'env-0001' },
  )
  expect(folder.secrets.redact('anabel prefix-1 command-1 arg-0001 default-1 dir-0001 env-0001 literal-1')).toBe(
    'anabel prefix-1 [secret] [secret] default-1 dir-0001 [secret] [secret]',
  )
})
