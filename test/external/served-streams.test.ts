/** What becomes of requests whose stream ends before they are begun, and of more of them than are held. */
import { RESET, type ResponseBody, serveLink } from '@callboard/sdk/external'
import { expect, test } from 'vitest'
import { encodeRequest } from '../../packages/sdk/src/external/protocol/messages.ts'
import { MemoryLink, type MemoryStream } from './memory-link.ts'

const twoRequests = Buffer.concat(['1', '2'].map((id) => encodeRequest(id, { case: 'health', value: {} })))

async function servedOf(cutOff: boolean): Promise<string[]> {
  const served: string[] = []
  const link = new MemoryLink(() => {})
  const serving = serveLink(link, async ({ requestId }) => {
    served.push(requestId)
    return { case: 'health', value: {} }
  })
  const stream = link.accept()
  // Its reader waits for bytes now, and is given them before it hears of the end.
  await new Promise((resolve) => setImmediate(resolve))
  stream.give(twoRequests)
  if (cutOff) stream.giveReset()
  await new Promise((resolve) => setImmediate(resolve))
  link.close()
  await serving
  return served
}

test('requests that come with the reset of their stream are not begun, since nobody could end them', async () => {
  expect(await servedOf(true)).toEqual([])
  expect(await servedOf(false)).toEqual(['1', '2'])
})

/** Serves a link with so much room; every answer waits until it is released. */
function serveWithin(maxBytes: number) {
  const link = new MemoryLink(() => {})
  const released = Promise.withResolvers<void>()
  const serve = async (): Promise<ResponseBody> => {
    await released.promise
    return { case: 'health', value: {} }
  }
  const serving = serveLink(link, serve, { maxBytes })
  const open = async (...pieces: Uint8Array[]): Promise<MemoryStream> => {
    const stream = link.accept()
    for (const piece of pieces) {
      await settled()
      stream.give(piece)
    }
    await settled()
    return stream
  }
  const end = async (): Promise<void> => {
    link.close()
    await serving
  }
  return { open, released, [Symbol.asyncDispose]: end }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const HALF = 600_000
const request = encodeRequest('1', { case: 'hello', value: { software: 'x'.repeat(HALF) } })
const small = encodeRequest('1', { case: 'health', value: {} })

test('what has not come whole is held up to a bound for all streams, and no longer than its stream', async () => {
  await using served = serveWithin(2 * HALF)
  const first = await served.open(request.subarray(0, HALF / 2))
  const second = await served.open(request.subarray(0, HALF / 2), request.subarray(HALF / 2, HALF / 2 + 1))
  expect([first.isOver, second.isOver]).toEqual([false, false])
  expect((await served.open(request.subarray(0, HALF / 2))).signal.reason).toMatchObject({ code: RESET.refused })
  first.giveReset()
  expect((await served.open(request.subarray(0, HALF / 2))).isOver).toBe(false)
  expect(second.isOver).toBe(false)
})

test('so is what has come whole, until it is answered', async () => {
  await using served = serveWithin(2 * HALF)
  const first = await served.open(request)
  const second = await served.open(request.subarray(0, HALF / 2), request.subarray(HALF / 2))
  expect([first.isOver, second.isOver]).toEqual([false, true])
  expect((await served.open(small)).isOver).toBe(false)
  served.released.resolve()
  await settled()
  expect(first.bytesWritten).toBeGreaterThan(0)
  const third = await served.open(request)
  expect([third.bytesWritten > 0, third.isOver]).toEqual([true, false])
})
