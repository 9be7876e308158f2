/** Whose a permission is. */
import { expect, test } from 'vitest'
import { permissionFault, rootOf } from './permission-root.ts'

test.each([
  ['acme/hello', 'acme'],
  ['github', 'github'],
  ['tools.features', 'tools.features'],
])('the permissions of %s begin with %s', (pluginId, root) => {
  expect(rootOf(pluginId)).toBe(root)
})

test.each([
  ['acme/hello', 'acme.hello.view'],
  ['acme/hello', 'acme.other.view'],
  ['tools.features', 'tools.features.x'],
])('%s may declare %s', (pluginId, permission) => {
  expect(permissionFault(pluginId, permission)).toBeUndefined()
})

test.each([
  ['acme/hello', 'github.get_issue'],
  ['acme/hello', 'acmehello.view'],
  ['acme/hello', 'acme'],
  ['acme/hello', 'acme.'],
  ['acme/hello', 'Acme.hello'],
  ['acme/hello', 'cli.access'],
  ['tools.features', 'tools.other'],
  ['tools.features', '*'],
])('%s may not declare %s', (pluginId, permission) => {
  expect(permissionFault(pluginId, permission)).toBe(
    `the permission "${permission}" is not the plugin's own; it has to begin with "${rootOf(pluginId)}."`,
  )
})
