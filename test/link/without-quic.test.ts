/** Where the native part of QUIC is not there. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { whyNoQuic } from '@callboard/sdk/external'
import { expect, test } from 'vitest'
import { WITHOUT_QUIC } from './without-quic.ts'

const run = promisify(execFile)

const PROGRAM = `
import { dialLink, whyNoQuic } from '@callboard/sdk/external'
console.log(await whyNoQuic())
const refused = await dialLink('quic', { address: { host: '127.0.0.1', port: 1 } }).catch((error) => error)
console.log(refused.kind)
`

test('the caller can tell why, before dialling and by the error', async () => {
  const { stdout } = await run(process.execPath, [...WITHOUT_QUIC, '--input-type=module', '--eval', PROGRAM], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  })
  expect(stdout).toMatch(/^QUIC does not load on \w+ \w+; install @matrixai\/quic, or use TLS\nunsupported\n$/)
})

test('here QUIC loads', async () => {
  expect(await whyNoQuic()).toBeUndefined()
})
