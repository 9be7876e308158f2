/** The gate: who has what, and that no pattern gives more than it says. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UserConfig } from '../config/config.ts'
import { createRoleGate, EVERY_RIGHT } from './role-gate.ts'

function gateOf(roles: Record<string, readonly string[]>, users: Record<string, Partial<UserConfig>>) {
  const filled = Object.entries(users).map(([name, user]) => [name, { roles: [], disabled: false, ...user }] as const)
  return createRoleGate({ roles: new Map(Object.entries(roles)), users: new Map(filled) })
}

const gate = gateOf(
  { support: ['acme.hello.*', 'github.get_*'], ops: ['github.*', 'cli.access'], all: ['*'], none: [] },
  {
    ana: { roles: ['support'] },
    ben: { roles: ['support', 'ops'] },
    cem: { roles: ['all'], disabled: true },
    dee: { roles: ['none', 'undefined-role', '__proto__'] },
    eve: { roles: ['all'] },
  },
)

describe('the gate of roles', () => {
  test.each([
    ['owner', 'anything.at.all', true],
    ['owner', 'cli.access', true],
    ['ana', 'acme.hello.view', true],
    ['ana', 'acme.hello.deeply.dotted', true],
    ['ana', 'acme.hello', false],
    ['ana', 'acme.helloo.view', false],
    ['ana', 'github.get_issue', true],
    ['ana', 'github.create_issue', false],
    ['ana', 'evil.github.get_issue', false],
    ['ana', 'cli.access', false],
    ['ben', 'github.create_issue', true],
    ['ben', 'acme.hello.view', true],
    ['ben', 'cli.access', true],
    ['cem', 'acme.hello.view', false],
    ['dee', 'acme.hello.view', false],
    ['eve', 'callboard.users', true],
    ['nobody', 'acme.hello.view', false],
    ['Owner', 'acme.hello.view', false],
    ['', 'acme.hello.view', false],
    ['__proto__', 'acme.hello.view', false],
  ])('says of %j and %j: %j', (user, permission, answer) => {
    expect(gate.allows(user, permission)).toBe(answer)
  })

  test('gives the owner all whatever roles the config adds, and nothing once the config disables the owner', () => {
    expect(gateOf({}, { owner: { roles: [] } }).allows('owner', 'x')).toBe(true)
    expect(gateOf({}, { owner: { disabled: true } }).allows('owner', 'x')).toBe(false)
  })
})

describe('the rights of a user', () => {
  const rightsOf = (roles: readonly string[]) =>
    gateOf({ a: ['x.*'], b: ['y.*', 'x.*'], c: ['*', 'x.*'], none: [] }, { u: { roles } }).rightsOf('u')

  test('are the same text for users who have the same patterns, by whatever roles, and another one for others', () => {
    expect(rightsOf(['b'])).toBe(rightsOf(['a', 'b']))
    expect(rightsOf(['b', 'a'])).toBe(rightsOf(['a', 'b']))
    expect(rightsOf(['a'])).not.toBe(rightsOf(['b']))
  })

  test('are every right or none, by whatever roles', () => {
    expect([gate.rightsOf('owner'), rightsOf(['c']), rightsOf(['a', 'c'])]).toEqual(Array(3).fill(EVERY_RIGHT))
    expect([gate.rightsOf('nobody'), gate.rightsOf('cem'), rightsOf([]), rightsOf(['none'])]).toEqual(Array(4).fill(''))
    expect(gateOf({}, { owner: { disabled: true } }).rightsOf('owner')).toBe('')
  })
})

describe('for any patterns', () => {
  const permission = fc.stringMatching(/^[a-c.]{0,8}$/)
  const pattern = fc.stringMatching(/^[a-c.*]{0,5}$/)
  const allows = (patterns: readonly string[], asked: string) =>
    gateOf({ r: patterns }, { u: { roles: ['r'] } }).allows('u', asked) === true

  test('a role grants what one of its patterns grants, and a further pattern takes nothing away', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 4 }), permission, (patterns, asked) => {
        expect(allows(patterns, asked)).toBe(patterns.some((one) => allows([one], asked)))
      }),
    )
  })

  test('a permission granted by its own name grants no other', () => {
    fc.assert(
      fc.property(permission, permission, (one, asked) => {
        expect(allows([one], asked)).toBe(one === asked)
      }),
    )
  })

  test('a pattern with one star grants what begins and ends as it does and nothing else', () => {
    fc.assert(
      fc.property(permission, permission, permission, (head, tail, asked) => {
        const fits = asked.startsWith(head) && asked.endsWith(tail) && asked.length >= head.length + tail.length
        expect(allows([`${head}*${tail}`], asked)).toBe(fits)
        expect(allows([`${head}*${tail}`], head + asked + tail)).toBe(true)
      }),
    )
  })

  test('a user with several roles has what each of them grants', () => {
    fc.assert(
      fc.property(pattern, pattern, permission, (one, other, asked) => {
        const both = gateOf({ r: [one], s: [other] }, { u: { roles: ['r', 's'] } })
        expect(both.allows('u', asked)).toBe(allows([one], asked) || allows([other], asked))
      }),
    )
  })
})
