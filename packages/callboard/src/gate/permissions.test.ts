/** Permissions: the declared one, and the one that is derived. */
import { expect, test } from 'vitest'
import { permissionOf } from './permissions.ts'

test.each([
  ['acme/hello', 'echo', 'acme.hello.echo'],
  ['github', 'create_issue', 'github.create_issue'],
  ['tools.features', 'files/read', 'tools.features.files.read'],
])('the tool of plugin %s declared as %s needs %s', (pluginId, name, permission) => {
  expect(permissionOf({ package: pluginId, name, action: name })).toBe(permission)
})

test('a declared permission is taken as it is', () => {
  expect(permissionOf({ package: 'acme/hello', name: 'echo', action: 'e', permission: 'acme/x.view' })).toBe(
    'acme/x.view',
  )
})
