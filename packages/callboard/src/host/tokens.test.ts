/** The tokens of a host. */
import { describe, expect, test, vi } from 'vitest'
import { membersScene } from './testing/members-scene.ts'

const CONFIG = { users: { ana: {}, cem: { disabled: true } } }
const usage = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'usage',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
const bad = (reason: string) => ({ kind: 'bad', reason })
const UNKNOWN = bad('the token is unknown or was revoked')
const NO_USER = bad('the user of the token is unknown or disabled')

describe('a token', () => {
  test('lets its user in, and is kept without its text', () => {
    const { members, store } = membersScene(CONFIG)
    const { text, ...token } = members.tokens.create({ name: 'laptop', user: 'ana' })
    expect(members.tokens.check(text)).toEqual({ kind: 'good', id: token.id, user: 'ana' })
    expect(members.tokens.all()).toEqual([token])
    expect(token).toEqual({ id: expect.any(String), name: 'laptop', user: 'ana', createdAt: expect.any(Number) })
    const secret = text.slice(-64)
    expect(JSON.stringify([store.tokens.all(), members.tokens.all()])).not.toContain(secret)
  })

  test('that narrows lets the user in narrowed, also to nothing', () => {
    const { tokens } = membersScene(CONFIG).members
    const some = tokens.create({ name: 'some', user: 'ana', permissions: ['github.get_*', 'github.get_*'] })
    const none = tokens.create({ name: 'none', user: 'owner', permissions: [] })
    expect(tokens.check(some.text)).toMatchObject({ user: { name: 'ana', within: ['github.get_*'] } })
    expect(tokens.check(none.text)).toMatchObject({ user: { name: 'owner', within: [] } })
  })

  test('that is revoked, by name or id, lets nobody in', () => {
    const { tokens } = membersScene(CONFIG).members
    const [one, other] = ['one', 'other'].map((name) => tokens.create({ name, user: 'ana' }))
    expect(tokens.revoke('one')).toMatchObject({ name: 'one', user: 'ana' })
    tokens.revoke(other?.id ?? '')
    for (const token of [one, other]) {
      expect(tokens.check(token?.text ?? '')).toEqual(UNKNOWN)
      expect(tokens.isGood(token?.id ?? '')).toBe(false)
    }
    expect(tokens.all()).toEqual([])
  })

  test('is good until the moment at which it expires', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    try {
      const { tokens } = membersScene(CONFIG).members
      const { text, id } = tokens.create({ name: 'short', user: 'ana', expiresAt: 1_060_000 })
      vi.setSystemTime(1_059_999)
      expect([tokens.check(text).kind, tokens.isGood(id)]).toEqual(['good', true])
      vi.setSystemTime(1_060_000)
      expect(tokens.check(text)).toEqual(bad('the token has expired'))
      expect(tokens.isGood(id)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  test('of a user who is disabled or unknown lets nobody in, and does again when the user is back', () => {
    const { people, tokens } = membersScene(CONFIG).members
    people.addUser('ben', [])
    const { text, id } = tokens.create({ name: 'bens', user: 'ben' })
    people.setDisabled('ben', true)
    expect([tokens.check(text), tokens.isGood(id)]).toEqual([NO_USER, false])
    people.setDisabled('ben', false)
    expect(tokens.check(text).kind).toBe('good')
    const anas = tokens.create({ name: 'anas', user: 'ana' })
    people.take({ users: new Map(), roles: new Map() })
    expect(tokens.check(anas.text)).toEqual(NO_USER)
    expect(tokens.check(tokens.create({ name: 'owns', user: 'owner' }).text).kind).toBe('good')
  })

  test('goes with its user, so that a later user of that name has nothing of it', () => {
    const { people, tokens } = membersScene(CONFIG).members
    people.addUser('ben', [])
    const { text } = tokens.create({ name: 'bens', user: 'ben' })
    people.removeUser('ben')
    people.addUser('ben', [])
    expect([tokens.check(text), tokens.all()]).toEqual([UNKNOWN, []])
  })

  test.each([
    ['', 'ana', /^"" can't be the name of a token/],
    ['a b', 'ana', /without spaces/],
    ['laptop', 'ana', 'there is a token "laptop" already; revoke it, or take another name'],
    ['new', 'anna', 'no user "anna"; did you mean "ana"?'],
  ])('can not be made as %j for %j', (name, user, message) => {
    const { tokens } = membersScene(CONFIG).members
    tokens.create({ name: 'laptop', user: 'ana' })
    expect(() => tokens.create({ name, user })).toThrow(usage(message))
    expect(tokens.all()).toHaveLength(1)
  })

  test('can not be made for the past, nor with what is no pattern', () => {
    const { tokens } = membersScene(CONFIG).members
    for (const expiresAt of [0, Date.now(), Number.NaN])
      expect(() => tokens.create({ name: 'x', user: 'ana', expiresAt })).toThrow(usage(/in the future/))
    expect(() => tokens.create({ name: 'x', user: 'ana', permissions: [''] })).toThrow(usage(/no pattern/))
  })

  test('that is not there can not be revoked, and one that is pasted whole is in no message', () => {
    const { tokens } = membersScene(CONFIG).members
    const { text } = tokens.create({ name: 'laptop', user: 'ana' })
    expect(() => tokens.revoke('laptob')).toThrow(usage('no token "laptob"; did you mean "laptop"?'))
    expect(() => tokens.revoke(text)).toThrow(usage('no token of this text; there is laptop'))
  })

  test('is told to whoever follows, and what another process does counts at the next look', () => {
    const scene = membersScene(CONFIG)
    const other = scene.another().members
    const { text, id } = scene.members.tokens.create({ name: 'laptop', user: 'ana' })
    scene.members.tokens.revoke('laptop')
    expect(scene.told).toEqual(['tokens', 'tokens'])
    const again = other.tokens.create({ name: 'laptop', user: 'ana' })
    expect(scene.members.tokens.check(again.text).kind).toBe('good')
    other.people.addUser('ben', [])
    const bens = scene.members.tokens.create({ name: 'bens', user: 'ben' })
    other.people.setDisabled('ben', true)
    expect(scene.members.tokens.check(bens.text)).toEqual(NO_USER)
    expect([scene.members.tokens.check(text), scene.members.tokens.isGood(id)]).toEqual([UNKNOWN, false])
  })

  test.each(['', 'callboard_', 'Bearer x', '\0', 'x'.repeat(1_000_000)])('is not what is none: %.20j', (text) => {
    expect(membersScene(CONFIG).members.tokens.check(text)).toEqual(UNKNOWN)
  })

  test('of one character less or another secret is unknown', () => {
    const { tokens } = membersScene(CONFIG).members
    const { text } = tokens.create({ name: 'laptop', user: 'ana' })
    const last = text.at(-1) === '0' ? '1' : '0'
    for (const near of [text.slice(0, -1), `${text}0`, text.slice(0, -1) + last, text.toUpperCase(), ` ${text}`])
      expect(tokens.check(near)).toEqual(UNKNOWN)
  })
})

test('that there is no token is reported where one is needed', () => {
  const { members } = membersScene({ ...CONFIG, http: { auth: 'tokens' } })
  const config = (auth: 'none' | 'tokens') => ({ http: { auth } }) as Parameters<typeof members.reports>[0]
  expect(members.reports(config('none'), true)).toEqual([])
  expect(members.reports(config('tokens'), false)).toEqual([])
  expect(members.reports(config('tokens'), true)).toEqual([
    expect.stringContaining('callboard tokens create laptop --for owner'),
  ])
  members.tokens.create({ name: 'cems', user: 'cem' })
  expect(members.reports(config('tokens'), true)).toHaveLength(1)
  members.tokens.create({ name: 'anas', user: 'ana' })
  expect(members.reports(config('tokens'), true)).toEqual([])
})
