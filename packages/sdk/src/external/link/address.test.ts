/** Addresses as people and plugins write them. */
import { expect, test } from 'vitest'
import { formatAddress, isLoopback, parseAddress, resolveAddress } from './address.ts'

test.each([
  ['127.0.0.1:4433', { host: '127.0.0.1', port: 4433 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
  [' plugins.example.com:443\n', { host: 'plugins.example.com', port: 443 }],
])('%j is an address, and reads the same once it was written', (text, address) => {
  expect(parseAddress(text)).toEqual(address)
  expect(formatAddress(address)).toBe(text.trim())
})

test.each(['', 'localhost', ':4433', '::1:4433', '[localhost]:1', '[::1]', 'a:b', '127.0.0.1:65536', '127.0.0.1:-1'])(
  '%j is no address, and the error says what one looks like',
  (text) => {
    expect(() => parseAddress(text)).toThrow(/is no address; expected host:port, such as/)
  },
)

test('localhost is both loopback addresses, whatever the hosts file says', async () => {
  expect(await resolveAddress({ host: 'localhost', port: 1 })).toEqual([
    { host: '127.0.0.1', port: 1, family: 4 },
    { host: '::1', port: 1, family: 6 },
  ])
})

test('an address in numbers stands for itself', async () => {
  expect(await resolveAddress({ host: '::1', port: 2 })).toEqual([{ host: '::1', port: 2, family: 6 }])
})

test('loopback is what stays on this machine', () => {
  expect(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true])
  expect(['10.0.0.1', '::2', '1.127.0.0', 'localhost'].map(isLoopback)).toEqual([false, false, false, false])
})
