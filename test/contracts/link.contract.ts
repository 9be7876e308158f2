/** What every transport promises by the port `Link`; QUIC and TLS run this suite. */
import { type Link, LinkError, type LinkStream, RESET, StreamReset, type Transport } from '@callboard/sdk/external'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLUGIN_ID } from '../link/credentials.ts'
import {
  echoStreams,
  type LinkPair,
  nextStream,
  openPair,
  openStreamPair,
  PROTOCOL,
  readAll,
} from '../link/link-pair.ts'
import { askOnce, cutOffStreams, tryStream } from '../link/stream-trials.ts'

export function linkContract(transport: Transport): void {
  describe(`the port Link, kept by ${transport}`, () => {
    let pair: LinkPair
    let dialled: Link
    let accepted: Link

    beforeEach(async () => {
      pair = await openPair(transport)
      dialled = pair.dialled
      accepted = pair.accepted
    })
    afterEach(() => pair[Symbol.asyncDispose]())

    test('both ends know the transport, the protocol and who the other one is', () => {
      expect(dialled).toMatchObject({ transport, protocol: PROTOCOL })
      expect(accepted).toMatchObject({ transport, protocol: PROTOCOL })
      expect(dialled.peer.uris).toEqual([`spiffe://callboard/plugin/${PLUGIN_ID}`])
      expect(accepted.peer.uris).toEqual(['spiffe://callboard/host'])
      expect(dialled.peer.fingerprint).toMatch(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)
    })

    test('what is written to a stream is what comes back from an echo, whatever the pieces', async () => {
      void echoStreams(accepted)
      const pieces = fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(pieces, async (written) => {
          const stream = await dialled.openStream()
          const [read] = await Promise.all([readAll(stream), writeAll(stream, written)])
          expect(read.equals(Buffer.concat(written))).toBe(true)
        }),
        { numRuns: 25 },
      )
    })

    test('the listening end opens streams as the dialling end does', async () => {
      void echoStreams(dialled)
      const stream = await accepted.openStream()
      const [read] = await Promise.all([readAll(stream), writeAll(stream, [Buffer.from('from below')])])
      expect(read.toString()).toBe('from below')
    })

    test('one direction may end while the other one goes on', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      opened.end()
      expect(await taken.read()).toBeUndefined()
      await taken.write(Buffer.from('still here'))
      expect(Buffer.from((await opened.read()) ?? []).toString()).toBe('still here')
      taken.end()
      expect(await opened.read()).toBeUndefined()
    })

    test('many streams run side by side, each with its own bytes', async () => {
      void echoStreams(accepted)
      const echoed = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const stream = await dialled.openStream()
          const bytes = Buffer.alloc(5_000, index)
          const [read] = await Promise.all([readAll(stream), writeAll(stream, [bytes])])
          return read.equals(bytes)
        }),
      )
      expect(echoed).toEqual(Array.from({ length: 100 }, () => true))
    })

    test('a stream that nobody reads stops its writer, and no other stream', async () => {
      const [opened] = await openStreamPair(dialled, accepted)
      const stuck = writeUntilStuck(opened)
      const [other, taken] = await openStreamPair(dialled, accepted)
      await other.write(Buffer.from('passing by'))
      expect(Buffer.from((await taken.read()) ?? []).toString()).toBe('passing by')
      expect(await stuck).toBeLessThanOrEqual(8 * 1024 * 1024)
    })

    test('a writer that was stopped goes on when it is read again', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      const bytes = Buffer.alloc(12 * 1024 * 1024, 7)
      const written = opened.write(bytes).then(() => opened.end())
      const read = await readAll(taken)
      await written
      expect(read.equals(bytes)).toBe(true)
    })

    test.each(['its opener', 'who should read it'])(
      'full streams that are cut off unread by %s leave room for those that come after',
      { timeout: 60_000 },
      async (by) => {
        for (let nth = 0; nth < 48; nth++) {
          const [opened, taken] = await openStreamPair(dialled, accepted)
          await writeUntilStuck(opened)
          if (by === 'its opener') opened.reset(RESET.cancelled)
          else taken.reset(RESET.cancelled)
        }
        const [opened, taken] = await openStreamPair(dialled, accepted)
        const bytes = Buffer.alloc(1024 * 1024, 7)
        const [read] = await Promise.all([readAll(taken), writeAll(opened, [bytes])])
        expect(read.equals(bytes)).toBe(true)
      },
    )

    test('a reset by the opener reaches who serves the stream, with its code', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      const reading = taken.read()
      opened.reset(42)
      await expect(reading).rejects.toMatchObject({ name: 'StreamReset', code: 42 })
      expect(taken.signal.aborted).toBe(true)
    })

    test('a reset behind the end of what was asked aborts the signal of who serves the stream', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      opened.end()
      expect(await taken.read()).toBeUndefined()
      const aborted = new Promise((resolve) => taken.signal.addEventListener('abort', resolve, { once: true }))
      opened.reset(7)
      await aborted
      expect(taken.signal.reason).toEqual(new StreamReset(7))
      await expect(taken.write(Buffer.of(1))).rejects.toMatchObject({ code: 7 })
    })

    test('a reset in reply to a piece of the answer aborts the signal of who serves the stream', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      opened.end()
      expect(await taken.read()).toBeUndefined()
      const aborted = new Promise((resolve) => taken.signal.addEventListener('abort', resolve, { once: true }))
      await taken.write(Buffer.of(1))
      expect(await opened.read()).toEqual(Buffer.of(1))
      opened.reset(RESET.cancelled)
      await aborted
      expect(taken.signal.reason).toMatchObject({ name: 'StreamReset', code: RESET.cancelled })
    })

    test('a reset by who serves the stream reaches the opener, with its code', async () => {
      const [opened, taken] = await openStreamPair(dialled, accepted)
      opened.end()
      const reading = opened.read()
      taken.reset(2 ** 32 - 1)
      await expect(reading).rejects.toMatchObject({ name: 'StreamReset', code: 2 ** 32 - 1 })
    })

    test('a reset settles the waits of who resets, and leaves other streams alone', async () => {
      const [opened] = await openStreamPair(dialled, accepted)
      const [other, taken] = await openStreamPair(dialled, accepted)
      const reading = opened.read()
      const writing = opened.write(Buffer.alloc(16 * 1024 * 1024))
      opened.reset(1)
      await expect(reading).rejects.toBeInstanceOf(StreamReset)
      await expect(writing).rejects.toBeInstanceOf(StreamReset)
      await expect(opened.write(Buffer.of(1))).rejects.toBeInstanceOf(StreamReset)
      expect(opened.signal.aborted).toBe(true)
      await other.write(Buffer.from('unharmed'))
      expect(Buffer.from((await taken.read()) ?? []).toString()).toBe('unharmed')
    })

    test('a stream that was reset before anything was written harms nobody', async () => {
      const unused = await dialled.openStream()
      unused.reset(1)
      void echoStreams(accepted)
      const stream = await dialled.openStream()
      const [read] = await Promise.all([readAll(stream), writeAll(stream, [Buffer.from('next')])])
      expect(read.toString()).toBe('next')
    })

    test('a stream is read by one reader at a time, and not written after its end', async () => {
      const [opened] = await openStreamPair(dialled, accepted)
      const reading = opened.read()
      await expect(opened.read()).rejects.toThrow('one reader')
      opened.end()
      opened.end()
      await expect(opened.write(Buffer.of(1))).rejects.toThrow('after its end')
      opened.reset(1)
      await expect(reading).rejects.toBeInstanceOf(StreamReset)
    })

    test('who wants more streams than are allowed waits for one to end, or until it gives up', async () => {
      const streams: LinkStream[] = []
      let opening = dialled.openStream()
      for (;;) {
        const next = await Promise.race([opening, settled()])
        if (next === undefined) break
        await next.write(Buffer.of(0))
        streams.push(next)
        opening = dialled.openStream()
      }
      expect(streams.length).toBeGreaterThanOrEqual(100)
      const giveUp = new AbortController()
      const abandoned = dialled.openStream(giveUp.signal)
      giveUp.abort(new Error('no more patience'))
      await expect(abandoned).rejects.toThrow('no more patience')
      streams[0]?.end()
      let served = await nextStream(accepted)
      while (served.id !== streams[0]?.id) served = await nextStream(accepted)
      await readAll(served)
      served.end()
      expect(await streams[0]?.read()).toBeUndefined()
      expect((await opening).id).not.toBe(streams[0]?.id)
    })

    test('twenty thousand streams, cut off at every stage, leave room for one more', { timeout: 60_000 }, async () => {
      void cutOffStreams(accepted)
      for (let done = 0; done < 20_000; done += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, index) => tryStream(dialled, index)))
      }
      const answers = await Promise.all([askOnce(dialled), askOnce(dialled), askOnce(dialled)])
      expect(answers.filter((answer) => answer !== undefined)).toEqual([Buffer.of(0)])
    })

    test('close ends everything here at once, without waiting for the peer', async () => {
      const [opened] = await openStreamPair(dialled, accepted)
      const waits = [opened.read(), opened.write(Buffer.alloc(16 * 1024 * 1024)), nextStream(dialled)]
      dialled.close()
      const ended = await Promise.race([dialled.ended, new Promise((resolve) => setImmediate(resolve, 'too late'))])
      expect(ended).toMatchObject({ name: 'LinkError', kind: 'closed' })
      for (const wait of waits) await expect(wait).rejects.toBeInstanceOf(LinkError)
      await expect(dialled.openStream()).rejects.toMatchObject({ kind: 'closed' })
      expect(opened.signal.reason).toBe(ended)
    })

    test('close by either end reaches the other one', async () => {
      const [, taken] = await openStreamPair(dialled, accepted)
      const reading = taken.read()
      dialled.close()
      await expect(reading).rejects.toMatchObject({ kind: 'closed' })
      expect(await accepted.ended).toMatchObject({
        kind: 'closed',
        message: expect.stringContaining('closed the link'),
      })
      const again = await openPair(transport)
      again.accepted.close()
      expect(await again.dialled.ended).toMatchObject({ kind: 'closed' })
      await again[Symbol.asyncDispose]()
    })

    test('the end of a listener ends its links', async () => {
      await pair.listener.listener.close()
      expect(await accepted.ended).toMatchObject({ kind: 'closed' })
      expect(await dialled.ended).toMatchObject({ kind: 'closed' })
    })
  })
}

async function writeAll(stream: LinkStream, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await stream.write(piece)
  stream.end()
}

/** How many bytes a stream takes from a writer that waits, when nobody reads them. */
async function writeUntilStuck(stream: LinkStream): Promise<number> {
  const piece = Buffer.alloc(16 * 1024)
  for (let written = 0; ; written += piece.length) {
    const taken = stream.write(piece).then(
      () => true,
      () => false,
    )
    if ((await Promise.race([taken, settled()])) !== true) return written
  }
}

/** Resolves when the event loop has had so many turns that what could happen by itself has happened. */
async function settled(): Promise<undefined> {
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
  return undefined
}
