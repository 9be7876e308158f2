/** A peer whose process is gone from one moment to the next. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Address, Asker, type Transport } from '@callboard/sdk/external'
import { expect, test } from 'vitest'
import { createParty } from './credentials.ts'
import type { EchoOrder } from './echo-peer.ts'
import { dial } from './link-pair.ts'

test.each<Transport>(['quic', 'tls'])(
  'over %s, what is asked of a killed process fails, and long before its idle time',
  async (transport) => {
    const party = await createParty()
    const child = fork(new URL('./echo-peer.ts', import.meta.url), { execArgv: [] })
    child.send({ transport, credentials: party.plugin } satisfies EchoOrder)
    const [address] = (await once(child, 'message')) as [Address]
    const link = await dial(transport, party, address)
    const asker = new Asker(link)
    const body = { case: 'toolCall', value: { toolName: 'echo', argumentsJson: Buffer.from('1') } } as const
    expect(await asker.ask(body)).toMatchObject({ case: 'toolCall' })
    const began = performance.now()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await expect(asker.ask(body)).rejects.toMatchObject({ name: 'LinkError' })
    expect((await link.ended).kind).toMatch(/^(lost|closed)$/)
    expect(performance.now() - began).toBeLessThan(15_000)
  },
)
