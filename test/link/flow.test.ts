/** A slow reader holds its writer back, and fills nobody's memory. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Transport } from '@callboard/sdk/external'
import { afterEach, describe, expect, test } from 'vitest'
import { createParty } from './credentials.ts'
import type { FlowOrder, FlowReport } from './flow-end.ts'

const BYTES = 200 * 1024 * 1024
const MAX_GROWTH_BYTES = 20 * 1024 * 1024

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

class FlowEnd {
  readonly #child: ChildProcess = fork(new URL('flow-end.ts', import.meta.url), { execArgv: ['--expose-gc'] })
  readonly #reports: FlowReport[] = []

  constructor(order: FlowOrder) {
    children.push(this.#child)
    this.#child.on('message', (report: FlowReport) => this.#reports.push(report))
    this.#child.send(order)
  }

  async report<K extends FlowReport['kind']>(kind: K): Promise<Extract<FlowReport, { kind: K }>> {
    for (;;) {
      const found = this.#reports.find((report) => report.kind === kind)
      if (found !== undefined) return found as Extract<FlowReport, { kind: K }>
      await once(this.#child, 'message')
    }
  }

  goOn(): void {
    this.#child.send('go on')
  }
}

describe.each<Transport>(['quic', 'tls'])('with %s', (transport) => {
  test.each([
    { listener: 'writer', dialler: 'reader' },
    { listener: 'reader', dialler: 'writer' },
  ] as const)(
    '200 MB that are read after a pause grow neither a listening $listener nor a dialling $dialler',
    { timeout: 120_000 },
    async (roles) => {
      const party = await createParty()
      const shared = { transport, bytes: BYTES }
      const listener = new FlowEnd({ ...shared, credentials: party.plugin, role: roles.listener })
      const { address } = await listener.report('listening')
      const dialler = new FlowEnd({ ...shared, credentials: party.host, role: roles.dialler, address })
      const [writer, reader] = roles.listener === 'writer' ? [listener, dialler] : [dialler, listener]
      expect((await writer.report('stuck')).bytes).toBeLessThan(MAX_GROWTH_BYTES)
      reader.goOn()
      const written = await writer.report('done')
      const read = await reader.report('done')
      expect(read.bytes).toBe(BYTES)
      expect(written.growthBytes).toBeLessThan(MAX_GROWTH_BYTES)
      expect(read.growthBytes).toBeLessThan(MAX_GROWTH_BYTES)
    },
  )
})
