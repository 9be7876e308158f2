import { expect, test } from 'vitest'
import type { McpTarget } from '../../config/config.ts'
import { fingerprintOf } from './fingerprint.ts'

const stdio: McpTarget = { transport: 'stdio', command: 'a', args: ['b'], env: { X: '1', Y: '2' }, cwd: '/' }

test('the order of the environment does not matter', () => {
  expect(fingerprintOf({ ...stdio, env: { Y: '2', X: '1' } })).toBe(fingerprintOf(stdio))
})

test.each<McpTarget>([
  { ...stdio, command: 'ab', args: [] },
  { ...stdio, args: ['b', ''] },
  { ...stdio, env: { X: '1' } },
  { ...stdio, env: { X: '2', Y: '2' } },
  { ...stdio, cwd: '/tmp' },
  { transport: 'http', url: 'http://a', headers: {} },
])('another target has another fingerprint: %j', (target) => {
  expect(fingerprintOf(target)).not.toBe(fingerprintOf(stdio))
})

test('what is spoken with a server matters, whether the config says it or not does not', () => {
  const target = { transport: 'http', url: 'http://a', headers: {} } as const
  expect(fingerprintOf({ ...target, type: 'http' })).toBe(fingerprintOf(target))
  expect(fingerprintOf({ ...target, type: 'sse' })).not.toBe(fingerprintOf(target))
})

test('no secret can be read from it', () => {
  const headers = { Authorization: 'Bearer t0p-secret' }
  expect(fingerprintOf({ transport: 'http', url: 'http://a', headers })).toMatch(/^[0-9a-f]{64}$/)
})
