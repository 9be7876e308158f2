/** The acting user, narrowed or not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActingUser, actingUser, nameOf, narrowingKey, withinOf } from './acting-user.ts'

const anyUser: fc.Arbitrary<ActingUser> = fc.oneof(
  fc.string(),
  fc.record({ name: fc.string(), within: fc.array(fc.stringMatching(/^[a-c.*]{0,4}$/), { maxLength: 3 }) }),
)

describe('an acting user', () => {
  test('is made again of what was taken from it', () => {
    fc.assert(
      fc.property(anyUser, (user) => {
        expect(actingUser(nameOf(user), typeof user === 'string' ? undefined : user.within)).toEqual(user)
      }),
    )
  })

  test('who is narrowed to nothing may have no permission, and who is not narrowed any', () => {
    expect(withinOf({ name: 'ana', within: [] })('acme.hello')).toBe(false)
    expect(withinOf('ana')('acme.hello')).toBe(true)
  })

  test('of equal keys may have the same permissions', () => {
    fc.assert(
      fc.property(anyUser, anyUser, fc.stringMatching(/^[a-c.]{0,4}$/), (one, other, permission) => {
        fc.pre(narrowingKey(one) === narrowingKey(other))
        expect(withinOf(one)(permission)).toBe(withinOf(other)(permission))
      }),
    )
  })

  test('has the same key whatever the order of the patterns', () => {
    const keyOf = (...within: readonly string[]) => narrowingKey({ name: 'ana', within })
    expect(keyOf('a.*', 'b', 'a.*')).toBe(keyOf('b', 'a.*'))
    expect(keyOf('b', '*')).toBe(narrowingKey('ana'))
    expect(new Set([keyOf(), keyOf('a'), keyOf('a', 'b'), narrowingKey('ana')]).size).toBe(4)
  })
})
