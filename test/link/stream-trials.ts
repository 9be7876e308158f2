/** Streams that are served badly, and cut off at every stage. */
import { type Link, type LinkStream, StreamReset } from '@callboard/sdk/external'

/** Serves streams badly: one in three is reset at once, one in three after it was read, and the others are answered. */
export async function cutOffStreams(link: Link): Promise<void> {
  let served = 0
  for await (const stream of link.incoming) void serveBadly(stream, served++ % 3)
}

async function serveBadly(stream: LinkStream, how: number): Promise<void> {
  try {
    if (how === 0) return stream.reset(1)
    const bytes = await stream.read()
    if (how === 1) return stream.reset(2)
    await stream.write(bytes ?? Buffer.of(9))
    stream.end()
  } catch {
    // The opener was quicker.
  }
}

/** What came back for one byte; undefined when the stream was cut off. */
export async function askOnce(link: Link): Promise<Uint8Array | undefined> {
  const stream = await link.openStream()
  try {
    await stream.write(Buffer.of(0))
    return await stream.read()
  } catch {
    return undefined
  }
}

/** Uses a stream and cuts it off at one of several stages. */
export async function tryStream(link: Link, how: number): Promise<void> {
  const stream = await link.openStream()
  try {
    if (how % 5 === 0) return
    await stream.write(Buffer.of(0))
    if (how % 5 === 1) return
    stream.end()
    if (how % 5 === 2) return
    await stream.read()
    if (how % 5 === 3) return
    await stream.read()
  } catch (error) {
    if (!(error instanceof StreamReset)) throw error
  } finally {
    stream.reset(3)
  }
}
