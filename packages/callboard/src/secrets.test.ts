import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { newToken } from './gate/token-text.ts'
import { createLog } from './log.ts'
import { printable } from './printable.ts'
import { Secrets } from './secrets.ts'

function secretsOf(...values: readonly string[]): Secrets {
  const secrets = new Secrets()
  for (const value of values) secrets.add(value)
  return secrets
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The ways in which a value comes to a log. */
const FORMS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  'in JSON': inJson,
  'in JSON in JSON': (value) => inJson(inJson(value)),
  'in JSON that escapes the slash': (value) => inJson(value).replaceAll('/', '\\/'),
  'URL-encoded': encodeURIComponent,
  'URL-encoded in lower case': (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in URL-safe base64': (value) => Buffer.from(value).toString('base64url'),
}

/** Letters of no other alphabet than the text around it, so that what is found is the secret. */
const value = fc.string({ unit: fc.constantFrom(...'"\\/+%ü🦊XYZ\n '), minLength: 4, maxLength: 30 })

describe('Secrets', () => {
  test.each(Object.keys(FORMS))('no secret passes %s', (name) => {
    fc.assert(
      fc.property(value, (secret) => {
        const form = FORMS[name]?.(secret) ?? ''
        expect(secretsOf(secret).redact(`a:${form}:b`)).toMatch(/^a:\[secret\]=*:b$/)
      }),
    )
  })

  test.each(Object.keys(FORMS))('no secret %s passes in a line of the log', (name) => {
    fc.assert(
      fc.property(value, (secret) => {
        const form = FORMS[name]?.(secret) ?? ''
        const lines: string[] = []
        createLog(secretsOf(secret), 'info', { write: (line) => lines.push(line) }).info(`a:${form}:b`)
        expect(JSON.parse(lines.join(''))).toMatchObject({ msg: expect.stringMatching(/^a:\[secret\]=*:b$/) })
      }),
    )
  })

  test('a token with a quote and a backslash that a server logs as JSON stands in no log', () => {
    const lines: string[] = []
    const log = createLog(secretsOf('a"b\\c'), 'info', { write: (line) => lines.push(line) })
    log.info(JSON.stringify({ t: 'a"b\\c' }))
    expect(JSON.parse(lines.join('')).msg).toBe('{"t":"[secret]"}')
  })

  test('an excerpt shows no part of a secret, wherever it is cut', () => {
    const secret = 'tok-0123456789'
    const secrets = secretsOf(secret, `${secret}abcdefghijklmnop`)
    const text = `${'x'.repeat(50)}${secret}${'y'.repeat(50)}`
    for (let max = 0; max <= text.length; max += 1) {
      const excerpt = secrets.excerpt(text, max)
      expect(excerpt.length).toBeLessThanOrEqual(max)
      expect(excerpt).not.toContain('tok-')
    }
    // Each secret that is replaced makes the text shorter, so that more of it comes within the bound.
    expect(secrets.excerpt(`${secret} ${secret} ${secret}`.repeat(3), 60)).not.toMatch(/tok|\d/)
  })

  test('of a text that was cut elsewhere, the part of a secret at the cut is replaced too', () => {
    const secrets = secretsOf('tok-0123456789')
    expect(secrets.redactPiece('said tok-0123', { end: true })).toBe('said [secret]')
    expect(secrets.redactPiece('3456789 said', { start: true })).toBe('[secret] said')
    expect(secrets.redactPiece('said tok-0123', {})).toBe('said tok-0123')
  })
})

test('what was learned of another is hidden as well, also where a text is cut', () => {
  const secrets = new Secrets()
  secrets.add('short-one')
  expect(secrets.redact('nothing of long-secret yet')).toContain('long-secret')
  const other = new Secrets()
  other.add('a-much-longer-secret-than-the-first')
  secrets.learn(other)
  expect(secrets.redact('short-one, a-much-longer-secret-than-the-first')).toBe('[secret], [secret]')
  expect(secrets.excerpt('key=a-much-longer-secret-than-the-first; and more of it', 20)).toBe('key=[secret]; and mo')
})

describe('a secret with colours in it', () => {
  const secrets = secretsOf('tok-0123456789')
  const coloured = '\u001b[31mbad key \u001b[1mtok-01\u001b[0m23\u0007456789'

  test.each([
    ['as it is', coloured],
    ['as JSON', JSON.stringify({ coloured })],
    ['as JSON in JSON', JSON.stringify({ inner: JSON.stringify({ coloured }) })],
  ])('is replaced before whoever shows the text joins its parts (%s)', (_, text) => {
    expect(printable(secrets.redact(text))).toContain('bad key [secret]')
    expect(secrets.redact(text)).toContain('bad key [secret]')
  })

  test('is replaced in a line of the log', () => {
    const lines: string[] = []
    createLog(secrets, 'info', { write: (line) => lines.push(line) }).info(coloured)
    expect(JSON.parse(lines.join('')).msg).toBe('bad key [secret]')
  })

  test('is replaced wherever a text is cut', () => {
    for (let max = 0; max <= coloured.length; max += 1) expect(secrets.excerpt(coloured, max)).not.toContain('tok-')
    expect(secrets.redactPiece('said tok-\u001b[1m0123', { end: true })).toBe('said [secret]')
  })

  test('changes no text without a secret', () => {
    const text = '\u001b[1mbold\u001b[0m C:\\\\folder'
    expect(secrets.redact(text)).toBe(text)
    expect(secrets.excerpt(text, 100)).toBe(text)
  })
})

test('a secret is hidden as the name of a host, and as a part of credentials in base64', () => {
  const secret = 'Tok-0123456789'
  const secrets = secretsOf(secret)
  expect(secrets.redact(new URL(`http://${secret}.invalid/x`).href)).toBe('http://[secret].invalid/x')
  for (const user of ['', 'a', 'ab', 'abc', 'user:'])
    for (const end of ['', '1', '12'])
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${user}${secret}${end}`).toString(encoding)
        expect(secrets.redact(encoded)).toMatch(/^.{0,8}\[secret\].{0,5}$/)
      }
})

describe('a token of a host', () => {
  test('is hidden in whatever form, though nobody has added it', () => {
    const secrets = new Secrets()
    for (const form of Object.values(FORMS))
      for (const within of [(text: string) => text, (text: string) => `{"user:${text},"`]) {
        const { text } = newToken()
        const shown = secrets.redact(`a:${form(within(text))}:b`)
        expect(shown).toContain('[secret]')
        expect(shown).not.toContain(text.slice(19, 30))
        expect(shown).not.toMatch(/[\da-zA-Z]{16}/)
      }
  })

  test('is hidden beside the secrets that were added, longer and shorter ones', () => {
    const { text } = newToken()
    const secrets = secretsOf('call', `${text}:pw`, `key ${text} ${'and'.repeat(20)}`)
    expect(secrets.redact(`${text}, ${text}:pw, call, key ${text} ${'and'.repeat(20)}.`)).toBe(
      '[secret], [secret], [secret], [secret].',
    )
  })

  test('is hidden wherever a text is cut or control characters split it', () => {
    const secrets = new Secrets()
    const { text } = newToken()
    const secret = text.slice(19)
    const split = `${text.slice(0, 12)}\u001b[1m${text.slice(12, 40)}\u0007${text.slice(40)}`
    for (const written of [text, split, JSON.stringify(split), Buffer.from(text).toString('base64')]) {
      const said = `said ${written} to all`
      for (let max = 0; max <= said.length; max += 1) {
        const excerpt = secrets.excerpt(said, max)
        expect(excerpt).not.toContain(secret.slice(0, 6))
        expect(excerpt).not.toMatch(/[\da-zA-Z+/]{40}/)
      }
    }
    for (let at = 1; at < secret.length; at += 1)
      expect(secrets.redactPiece(`said ${text.slice(0, -at)}`, { end: true })).toBe('said [secret]')
    for (let at = 0; at < text.length - 16; at += 1)
      expect(secrets.redactPiece(`${text.slice(at)} said`, { start: true })).toBe('[secret] said')
  })

  test('costs no more when there are thousands', () => {
    const secrets = secretsOf('tok-0123456789')
    secrets.redact('')
    const built = vi.spyOn(globalThis, 'RegExp')
    try {
      for (let i = 0; i < 5_000; i += 1) expect(secrets.redact(`as ${newToken().text}.`)).toBe('as [secret].')
      expect(built).not.toHaveBeenCalled()
    } finally {
      built.mockRestore()
    }
  })

  test('is not seen in what only begins like one', () => {
    const text = 'callboard_host, callboard_0123abcd and callboard_0123abcd_ are shown'
    expect(new Secrets().redact(text)).toBe(text)
    expect(new Secrets().excerpt(text, 16)).toBe('callboard_host, ')
  })
})
