/** The users and roles of a host: of the config, of the store, and in whose favour they quarrel. */
import { describe, expect, test, vi } from 'vitest'
import { membersScene } from './testing/members-scene.ts'

const CONFIG = {
  roles: { support: ['github.get_*', 'cli.access'] },
  users: { ana: { roles: ['support'] }, cem: { roles: ['support'], disabled: true } },
}
const usage = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'usage',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })

describe('users', () => {
  test('are those of the config, those of the store, and the owner', () => {
    const { people } = membersScene(CONFIG).members
    people.addUser('ben', ['support'])
    expect(people.users()).toEqual([
      { name: 'ana', roles: ['support'], disabled: false, source: 'config' },
      { name: 'ben', roles: ['support'], disabled: false, source: 'store' },
      { name: 'cem', roles: ['support'], disabled: true, source: 'config' },
      { name: 'owner', roles: [], disabled: false, source: 'built in' },
    ])
  })

  test('of the store may do at once what their roles grant, and no more once these are others', () => {
    const { people } = membersScene(CONFIG).members
    people.addRole('closers', ['github.close_*'])
    expect(people.gate.allows('ben', 'github.get_issue')).toBe(false)
    people.addUser('ben', ['support', 'closers', 'closers'])
    expect(['github.get_issue', 'github.close_issue'].map((one) => people.gate.allows('ben', one))).toEqual([
      true,
      true,
    ])
    people.setRoles('ben', ['closers'])
    expect(['github.get_issue', 'github.close_issue'].map((one) => people.gate.allows('ben', one))).toEqual([
      false,
      true,
    ])
    people.setPermissions('closers', ['docs.*'])
    expect(people.gate.allows('ben', 'github.close_issue')).toBe(false)
    people.setPermissions('closers', ['*'])
    people.setDisabled('ben', true)
    expect(people.gate.rightsOf('ben')).toBe('')
    people.setDisabled('ben', false)
    expect(people.gate.allows('ben', 'anything')).toBe(true)
    people.removeUser('ben')
    expect(people.gate.rightsOf('ben')).toBe('')
  })

  test.each([
    ['ana', 'there is a user "ana" already; it is in the config, so change it there (users.ana)'],
    ['ben', 'there is a user "ben" already'],
    [
      'owner',
      'there is a user "owner" already; the owner may do everything; the config alone can shut it out (users.owner)',
    ],
    ['a b', '"a b" can\'t be a user: expected a name without spaces'],
    ['', /^"" can't be a user: /],
    ['x'.repeat(129), /can't be a user: /],
    ['a\u0007b', /without control characters/],
  ])('can not be added as %j', (name, message) => {
    const { people } = membersScene(CONFIG).members
    people.addUser('ben', [])
    expect(() => people.addUser(name, [])).toThrow(usage(message))
    expect(() => people.addUser('ben', ['support'])).toThrow(
      usage('there is a user "ben" already; change it with: callboard users set ben --role support'),
    )
    expect(people.users().map((user) => user.name)).toEqual(['ana', 'ben', 'cem', 'owner'])
  })

  test('have roles that there are', () => {
    const { people } = membersScene(CONFIG).members
    expect(() => people.addUser('ben', ['suport'])).toThrow(usage('no role "suport"; did you mean "support"?'))
    expect(() => people.addUser('ben', ['nothing-like-it'])).toThrow(
      usage('no role "nothing-like-it"; there is support'),
    )
    people.addUser('ben', [])
    expect(() => people.setRoles('ben', ['ops'])).toThrow(usage(/no role "ops"/))
  })

  test('of the config, and the owner, are changed in the config alone', () => {
    const { people } = membersScene(CONFIG).members
    const mend = 'it is in the config, so change it there (users.ana)'
    for (const change of [
      () => people.setRoles('ana', []),
      () => people.setDisabled('ana', true),
      () => people.removeUser('ana'),
    ])
      expect(change).toThrow(usage(`the user "ana" can't be changed here; ${mend}`))
    expect(() => people.setDisabled('owner', true)).toThrow(usage(/the config alone can shut it out/))
    expect(() => people.setDisabled('anna', true)).toThrow(usage('no user "anna"; did you mean "ana"?'))
  })

  test('of the store whom the config names too are the config’s, are reported, and can be removed', () => {
    const scene = membersScene()
    scene.members.people.addRole('support', ['*'])
    scene.members.people.addUser('ana', ['support'])
    const { members } = scene.another()
    members.people.take({
      roles: new Map([['support', ['github.*']]]),
      users: new Map([['ana', { roles: ['support'], disabled: true }]]),
    })
    const { people } = members
    expect(people.users()).toContainEqual({ name: 'ana', roles: ['support'], disabled: true, source: 'config' })
    expect(people.roles()).toEqual([{ name: 'support', permissions: ['github.*'], source: 'config' }])
    expect(people.gate.rightsOf('ana')).toBe('')
    expect(people.reports()).toEqual([
      'the user "ana" is in the config and in the store, and that of the config counts; remove the other one: callboard users remove ana',
      'the role "support" is in the config and in the store, and that of the config counts; remove the other one: callboard roles remove support',
    ])
    people.removeUser('ana')
    people.removeRole('support')
    expect([people.reports(), people.find('ana')?.source]).toEqual([[], 'config'])
  })

  test('keep a role that the config has no more, which grants nothing and is reported', () => {
    const { people } = membersScene(CONFIG).members
    people.addUser('ben', ['support'])
    people.take({ roles: new Map(), users: new Map() })
    expect(people.gate.rightsOf('ben')).toBe('')
    expect(people.reports()).toEqual([
      'the user "ben" has the role "support", which is not there; add it, or take it from the user: callboard users set ben',
    ])
  })
})

describe('roles', () => {
  test('are those of the config and those of the store', () => {
    const { people } = membersScene(CONFIG).members
    people.addRole('ops', ['docs.*', 'docs.*'])
    expect(people.roles()).toEqual([
      { name: 'ops', permissions: ['docs.*'], source: 'store' },
      { name: 'support', permissions: ['github.get_*', 'cli.access'], source: 'config' },
    ])
    expect(() => people.addRole('support', [])).toThrow(usage(/there is a role "support" already; it is in the config/))
    expect(() => people.addRole('ops', ['docs.*', 'cli.access'])).toThrow(
      usage('there is a role "ops" already; change it with: callboard roles set ops \'docs.*\' cli.access'),
    )
    expect(() => people.setPermissions('support', [])).toThrow(usage(/change it there \(roles\.support\)/))
    expect(() => people.setPermissions('opps', [])).toThrow(usage('no role "opps"; did you mean "ops"?'))
    expect(() => people.addRole('x', [''])).toThrow(usage(/"" is no pattern of permissions/))
  })

  test('stay as long as somebody has them', () => {
    const { people } = membersScene(CONFIG).members
    people.addRole('ops', ['docs.*'])
    people.addUser('ben', ['ops'])
    people.addUser('eve', ['support', 'ops'])
    expect(() => people.removeRole('ops')).toThrow(
      usage(
        'the role "ops" is one of "ben", "eve"; take it from them first: callboard users set ben; callboard users set eve --role support',
      ),
    )
    people.setRoles('ben', [])
    people.removeUser('eve')
    people.removeRole('ops')
    expect(people.roles().map(({ name }) => name)).toEqual(['support'])
    expect(() => people.removeRole('support')).toThrow(usage(/change it there/))
    expect(() => people.removeRole('ops')).toThrow(usage(/no role "ops"/))
  })
})

describe('what another process changes', () => {
  test('is seen when it is looked for, and told once', () => {
    const scene = membersScene(CONFIG)
    const other = scene.another().members.people
    const { people } = scene.members
    other.addUser('ben', ['support'])
    expect(scene.told).toEqual([])
    people.refresh()
    people.refresh()
    expect(scene.told).toEqual(['rights'])
    expect(people.gate.allows('ben', 'github.get_issue')).toBe(true)
  })

  test('is seen by itself once it is followed', async () => {
    const scene = membersScene(CONFIG)
    scene.members.follow()
    scene.another().members.people.addUser('ben', ['support'])
    await vi.waitUntil(() => scene.told.includes('rights'), { timeout: 10_000 })
    expect(scene.members.people.find('ben')).toBeDefined()
  })

  test('is not changed over: whoever comes second is told to look again', () => {
    const scene = membersScene(CONFIG)
    scene.members.people.addUser('ben', [])
    const other = scene.another().members.people
    other.removeUser('ben')
    expect(() => scene.members.people.setDisabled('ben', true)).toThrow(usage(/no user "ben"/))
    other.addUser('ben', [])
    expect(() => scene.members.people.addUser('ben', [])).toThrow(usage(/there is a user "ben" already/))
  })
})
