/** What becomes of requests whose stream ends before they are begun. */
import { serveLink } from '@callboard/sdk/external'
import { expect, test } from 'vitest'
import { encodeRequest } from '../../packages/sdk/src/external/protocol/messages.ts'
import { MemoryLink } from './memory-link.ts'

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
