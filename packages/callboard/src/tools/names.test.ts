/** Names: legal whatever goes in, and exactly those of the design where it gives one. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  defaultPrefix,
  HASH_DIGITS,
  hashedName,
  isPluginId,
  MAX_NAME_LENGTH,
  MIN_NAME_LENGTH,
  namespacedName,
  pluginIdFromKey,
  sanitizeToolName,
} from './names.ts'

/** Any text at all, halves of surrogate pairs too. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

describe('sanitizeToolName', () => {
  test.each([
    ['plugin:acme/hello:acme.hello.echo', 'plugin-acme-hello-acme-hello-echo'],
    ['create_feature', 'create_feature'],
    ['github_create_issue', 'github_create_issue'],
    ['  spaced out!  ', 'spaced-out'],
    ['a--b', 'a--b'],
    ['a . b', 'a-b'],
    ['a-.-b', 'a---b'],
    ['wetter_für_münchen', 'wetter_f-r_m-nchen'],
    ['🎉party🎉🎉time', 'party-time'],
    ['搜索', 'tool'],
    ['---', 'tool'],
    ['', 'tool'],
    ['__proto__', '__proto__'],
  ])('makes %j into %j', (text, name) => {
    expect(sanitizeToolName(text)).toBe(name)
  })

  test('answers with a legal name for any text, and leaves that as it is the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = sanitizeToolName(text)
        expect(name).toMatch(/^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/)
        expect(sanitizeToolName(name)).toBe(name)
      }),
    )
  })

  test('takes time in proportion to a name of nothing but dashes', () => {
    const dashes = '-'.repeat(1_000_000)
    expect(sanitizeToolName(`a${dashes}b${dashes}`)).toBe(`a${dashes}b`)
  })
})

describe('hashedName', () => {
  test('is the plain name, a dash and the first eight hex digits of the SHA-256 of the namespaced name', () => {
    const namespaced = 'plugin:github:create_issue'
    const digits = createHash('sha256').update(namespaced, 'utf8').digest('hex').slice(0, 8)
    expect(hashedName('github_create_issue', namespaced, 8, 48)).toBe(`github_create_issue-${digits}`)
  })

  test('cuts the plain name so that the whole fits, and leaves no dash before the dash', () => {
    expect(hashedName(`${'x'.repeat(30)}-${'y'.repeat(300)}`, 'plugin:p:t', 8, 40)).toMatch(/^x{30}-[0-9a-f]{8}$/)
    expect(hashedName('y'.repeat(300), 'plugin:p:t', 8, 48)).toHaveLength(48)
  })

  test('is legal for any name, any length that is allowed and both lengths of hash', () => {
    const maxLengths = fc.integer({ min: MIN_NAME_LENGTH, max: MAX_NAME_LENGTH })
    const digits = fc.constantFrom(HASH_DIGITS.short, HASH_DIGITS.long)
    fc.assert(
      fc.property(anyText, maxLengths, digits, (text, maxLength, count) => {
        const name = hashedName(sanitizeToolName(text), namespacedName('p', text), count, maxLength)
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*-[0-9a-f]+$/)
        expect(name.length).toBeLessThanOrEqual(maxLength)
      }),
    )
  })

  test('differs for names that differ only in half a surrogate pair', () => {
    const [one, other] = ['\ud800', '\ud801'].map((half) => hashedName('tool', namespacedName('p', half), 8, 48))
    expect(one).not.toBe(other)
  })
})

describe('plugin ids', () => {
  test.each(['github', 'tools.features', 'acme/hello', 'bridge.openai', 'A_b-c.9/x', '__proto__'])(
    '%j is one',
    (id) => {
      expect(isPluginId(id)).toBe(true)
    },
  )

  test.each(['', '/', 'a/', '/b', 'a/b/c', 'a b', 'a:b', 'münchen', 'a\n', 'a/b\n'])('%j is none', (id) => {
    expect(isPluginId(id)).toBe(false)
  })

  test.each([
    ['github', 'github'],
    ['acme/hello', 'acme/hello'],
    ['My Server', 'My-Server'],
    ['@acme/server-x', '-acme-server-x'],
    ['a/b/c', 'a-b-c'],
    ['🎉', '-'],
    ['a:b', 'a-b'],
  ])('the key %j of an mcp.json gives %j', (key, id) => {
    expect(pluginIdFromKey(key)).toBe(id)
  })

  test('every key but the empty one gives an id', () => {
    fc.assert(
      fc.property(anyText, (key) => {
        expect(isPluginId(pluginIdFromKey(key))).toBe(key !== '')
      }),
    )
  })
})

test('a namespaced name holds the id and the declared name as they are', () => {
  expect(namespacedName('acme/hello', 'acme.hello.echo')).toBe('plugin:acme/hello:acme.hello.echo')
  expect(namespacedName('p', 'a:b')).toBe('plugin:p:a:b')
})

test.each([
  ['local', 'acme/hello', 'plugin:acme/hello:'],
  ['external', 'acme/hello', 'plugin:acme/hello:'],
  ['mcp', 'acme/hello', 'plugin:acme/hello:'],
  ['local', 'tools.features', ''],
  ['ai', 'bridge.openai', ''],
  ['external', 'notes', ''],
  ['mcp', 'github', 'github_'],
] as const)('the default prefix of the %s plugin %s is %j', (kind, id, prefix) => {
  expect(defaultPrefix(kind, id)).toBe(prefix)
})
