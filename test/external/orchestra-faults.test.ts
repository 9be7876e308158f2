/** What plugins of the existing protocol do wrong, and what comes of it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dialLink, type Link, LinkError, parseAddress } from '@callboard/sdk/external'
import { describe, expect, test } from 'vitest'
import { Supervisor } from '../../packages/callboard/src/plugins/supervisor.ts'
import {
  callPlugin,
  emptyHost,
  eventually,
  isAlive,
  keptLog,
  startPlugin,
  stateReached,
  textOf,
} from '../fixtures/plugin-calls.ts'
import { createParty } from '../link/credentials.ts'
import type { ExternalUnderTest } from './external-under-test.ts'
import { ALL, NONE, type OrchestraUnderTestOptions, orchestraPlugin } from './orchestra-under-test.ts'

async function failure(args: readonly string[], more: OrchestraUnderTestOptions = {}): Promise<string> {
  await using under = orchestraPlugin({ args, ...more })
  await expect(startPlugin(under.plugin, AbortSignal.timeout(15_000))).rejects.toMatchObject({ code: 'unavailable' })
  expect(under.plugin.health().state).toBe('down')
  return under.plugin.health().reason ?? ''
}

describe('a start fails in words', () => {
  test('when it registers as another plugin', async () => {
    expect(await failure(['--claim', 'tools.other'])).toBe(
      'it says it is "tools.other", and is started as "tools.notes"',
    )
  })

  test('when it is not ready to work', async () => {
    expect(await failure(['--no-boot'])).toBe('plugin "tools.notes": it did not boot: no licence found')
  })

  test('when its certificate is of another CA', async () => {
    expect(await failure(['--own-ca'], { grants: NONE })).toMatch(
      /^no link to it: the certificate of .* is of another CA/,
    )
  })

  test('when it speaks something else', async () => {
    expect(await failure(['--protocol', 'h3'], { grants: NONE })).toContain('no link to it')
  })

  test('when it answers with what is no frame', async () => {
    expect(await failure(['--garbage'], { grants: NONE })).toContain('which is no head of a frame')
  })
})

test('one that never registers is up all the same, and the log says so', async () => {
  await using under = orchestraPlugin({ args: ['--silent'] })
  await startPlugin(under.plugin, AbortSignal.timeout(15_000))
  expect(textOf(await callPlugin(under.plugin, 'note_list'))).toContain('there is no host to ask')
  expect(under.lines.map(({ msg }) => msg)).toContain(
    'the plugin does not register, though it is granted what it could only ask for then',
  )
})

test('what it needs and is not granted is reported', async () => {
  await using under = orchestraPlugin({ args: ['--needs-events'], grants: { ...NONE, tools: true } })
  await startPlugin(under.plugin)
  expect(under.plugin.reports).toEqual([
    'plugin "tools.notes": it needs storage (markdown); its `grants` have no storage',
    'plugin "tools.notes": it needs events (file.changed); its `grants` have no events',
  ])
})

test('one that is killed in mid-call fails the call at once with a code of its own, and comes back', async () => {
  await using under = orchestraPlugin({ healthMs: 60_000 })
  const { plugin } = under
  await using supervisor = new Supervisor({ hostOf: emptyHost, log: keptLog().log, initialDelayMs: 1 })
  supervisor.add(plugin, 15_000)
  await supervisor.start()
  const { pid } = JSON.parse(textOf(await callPlugin(plugin, 'facts')))
  const waiting = callPlugin(plugin, 'wait')
  process.kill(pid, 'SIGKILL')
  await expect(waiting).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('plugin "tools.notes" went away during the call, which may have been done or not'),
  })
  await stateReached(plugin, 'up')
  expect(isAlive(pid)).toBe(false)
  expect(textOf(await callPlugin(plugin, 'note_add', { text: 'again' }))).toBe('1 notes')
})

describe('whoever calls back is refused, with a log line that says which,', () => {
  /** The plugin, and the place where the host listens to it, as its process was told. */
  async function listening(): Promise<{ readonly under: ExternalUnderTest; readonly address: string }> {
    const under = orchestraPlugin({ grants: ALL })
    await startPlugin(under.plugin)
    const { pid } = JSON.parse(textOf(await callPlugin(under.plugin, 'facts')))
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    const address = words[words.indexOf('--orchestrator-addr') + 1] ?? ''
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
    return { under, address }
  }

  /** Dials with the certificate of the plugin itself. */
  async function dialler(under: ExternalUnderTest, address: string): Promise<(protocol: string) => Promise<Link>> {
    const folder = join(under.folder, 'plugins/tools.notes.plugin/certs')
    const [ca = '', certificate = '', key = ''] = await Promise.all(
      ['ca.crt', 'tools.notes-client.crt', 'tools.notes-client.key'].map((file) =>
        readFile(join(folder, file), 'utf8'),
      ),
    )
    return (protocol) =>
      dialLink('quic', {
        address: parseAddress(address),
        credentials: { ca, certificate, key },
        protocols: [protocol],
        serverName: 'orchestra-host',
      })
  }

  const refusal = (under: ExternalUnderTest) => () =>
    under.lines.some(({ msg, plugin }) => msg === 'a link for call-backs was refused' && plugin === 'tools.notes')

  test.skipIf(process.platform !== 'linux')('with a certificate of another CA', async () => {
    const { under, address } = await listening()
    await using _ = under
    const ca = await readFile(join(under.folder, 'plugins/tools.notes.plugin/certs/ca.crt'), 'utf8')
    const other = await (await createParty()).issue({ use: 'client' })
    const link = dialLink('quic', {
      address: parseAddress(address),
      credentials: { ...other, ca },
      protocols: ['orchestra-plugin'],
      serverName: 'orchestra-host',
    })
    // Who dials may be done before the host has judged it.
    const ended = await link.then((up) => up.ended).catch((error: unknown) => error)
    expect(ended).toBeInstanceOf(LinkError)
    await eventually(refusal(under), 'the refusal')
    expect(under.lines.find(({ msg }) => msg === 'a link for call-backs was refused')).toMatchObject({
      kind: 'unknown-authority',
    })
  })

  test.skipIf(process.platform !== 'linux')('with another protocol', async () => {
    const { under, address } = await listening()
    await using _ = under
    const dial = await dialler(under, address)
    await expect(dial('callboard/1')).rejects.toMatchObject({ kind: 'no-protocol' })
    await eventually(refusal(under), 'the refusal')
    const link = await dial('orchestra-plugin')
    expect(link.protocol).toBe('orchestra-plugin')
    await under.plugin.stop()
    // The listener is gone with the plugin.
    expect(await link.ended).toBeInstanceOf(LinkError)
    await expect(dial('orchestra-plugin')).rejects.toThrow()
  })

  test.skipIf(process.platform !== 'linux')('once it sends what is no frame, and that link alone ends', async () => {
    const { under, address } = await listening()
    await using _ = under
    const link = await (await dialler(under, address))('orchestra-plugin')
    const stream = await link.openStream()
    await stream.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await link.ended
    await eventually(
      () =>
        under.lines.some(({ msg, reason }) => msg === 'a link for call-backs has ended' && /HTTP/.test(String(reason))),
      'the end of the link in the log',
    )
    expect(textOf(await callPlugin(under.plugin, 'note_add', { text: 'still there' }))).toBe('1 notes')
  })
})
