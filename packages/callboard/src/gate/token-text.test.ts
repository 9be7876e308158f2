/** Tokens as texts. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTokenOf, newToken, tokenIdIn } from './token-text.ts'

describe('a token', () => {
  test('begins as scanners for secrets expect it, has its id in it, and 256 bits that no other has', () => {
    const tokens = Array.from({ length: 50 }, newToken)
    for (const { id, text } of tokens) {
      expect(text).toMatch(/^callboard_[0-9a-f]{8}_[0-9a-f]{64}$/)
      expect(tokenIdIn(text)).toBe(id)
    }
    expect(new Set(tokens.map(({ text }) => text.slice(-64))).size).toBe(tokens.length)
  })

  test('is known by its hash, in which nothing of it stands', () => {
    const { id, text, hash } = newToken()
    expect(isTokenOf(text, hash)).toBe(true)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hash).not.toContain(id)
    expect(text).not.toContain(hash)
  })

  test('is no other, nor one of which a character is different', () => {
    const { text, hash } = newToken()
    expect(isTokenOf(newToken().text, hash)).toBe(false)
    fc.assert(
      fc.property(fc.nat({ max: text.length - 1 }), fc.constantFrom(...'0123456789abcdef_X'), (at, digit) => {
        fc.pre(text[at] !== digit)
        expect(isTokenOf(text.slice(0, at) + digit + text.slice(at + 1), hash)).toBe(false)
      }),
    )
  })

  test('is not known by a hash that is none', () => {
    const { text, hash } = newToken()
    for (const kept of ['', hash.slice(1), `${hash}0`, hash.toUpperCase()]) expect(isTokenOf(text, kept)).toBe(false)
  })

  test.each(['', 'callboard_', 'x'.repeat(100_000), 'callboard_00ff00ff_00', `callboard_00FF00FF_${'0'.repeat(64)}`])(
    'is not what is written otherwise: %.30s',
    (text) => {
      expect(tokenIdIn(text)).toBeUndefined()
    },
  )
})
