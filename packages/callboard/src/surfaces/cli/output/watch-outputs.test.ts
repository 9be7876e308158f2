import { Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { watchOutputs } from './watch-outputs.ts'

/** An output that fails every write with this error; no disk breaks for a test. */
function broken(code: string, isTTY: boolean): Writable & { readonly isTTY: boolean } {
  const error = Object.assign(new Error(`write ${code}`), { code })
  return Object.assign(new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(error) }), { isTTY })
}

/** Writes to a standard output that is so broken; resolves with what came of it. */
async function outcome(code: string, isTTY: boolean): Promise<{ failed: boolean; isGone: boolean; said: string }> {
  let said = ''
  const stdout = broken(code, isTTY)
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      said += chunk
      done()
    },
  })
  const onReaderGone = vi.fn()
  const watch = watchOutputs({ stdout, stderr }, { json: false, onReaderGone })
  await new Promise((resolve) => stdout.write('a line\n', resolve))
  await watch.flush(false)
  return { failed: watch.failed, isGone: onReaderGone.mock.calls.length > 0, said }
}

test.each([
  ['a pipe whose reader has gone', 'EPIPE', false],
  ['a terminal that has gone', 'EIO', true],
])('%s is the end, and no failure', async (_, code, isTTY) => {
  expect(await outcome(code, isTTY)).toEqual({ failed: false, isGone: true, said: '' })
})

test.each([
  ['a broken disk', 'EIO'],
  ['a full disk', 'ENOSPC'],
])('%s is a failure that is said on the other output', async (_, code) => {
  expect(await outcome(code, false)).toEqual({
    failed: true,
    isGone: false,
    said: `callboard: standard output can't be written: write ${code}; what was to stand there is lost\n`,
  })
})
