import { expect, test } from 'vitest'
import { isLoopback, parseListen } from './listen.ts'

test.each([
  ['127.0.0.1:2255', { host: '127.0.0.1', port: 2255 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:2255', { host: '::1', port: 2255 }],
  ['[::]:65535', { host: '::', port: 65_535 }],
  ['board.example.com:80', { host: 'board.example.com', port: 80 }],
])('%s is an address to listen on', (text, expected) => {
  expect(parseListen(text)).toEqual(expected)
})

test.each([
  '',
  '2255',
  ':2255',
  '127.0.0.1',
  '::1:2255',
  '[::1]',
  '[x]:1',
  '[1.2.3.4]:1',
  'a:65536',
  'a:-1',
  'a b:1',
  'http://a:1',
  'a:1/',
])('%j is none', (text) => {
  expect(parseListen(text)).toBeUndefined()
})

test('only what this machine alone can reach is loopback', () => {
  const near = ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1']
  const far = ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '127.example.com', '::ffff:10.0.0.1', '']
  expect(near.filter((host) => !isLoopback(host))).toEqual([])
  expect(far.filter(isLoopback)).toEqual([])
})
