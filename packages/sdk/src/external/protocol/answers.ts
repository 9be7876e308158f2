/** Reads the answers that come on a stream, one after the other. */
import type { LinkStream } from '../link/link.ts'
import { FrameDecoder } from './frames.ts'
import type { PluginResponse } from './generated/plugin_pb.ts'
import { decodeResponse } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

/** Ends with the stream. Throws what reading throws, and `ProtocolError` for what is no answer. */
export async function* readAnswers(stream: LinkStream): AsyncGenerator<PluginResponse, void> {
  const frames = new FrameDecoder()
  for (let bytes = await stream.read(); bytes !== undefined; bytes = await stream.read()) {
    for (const message of frames.push(bytes)) yield decodeResponse(message)
  }
  if (frames.isInFrame) throw new ProtocolError('the stream ended in the middle of a frame')
}
