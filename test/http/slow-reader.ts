/** A client that sends a request and then takes a byte of the answer now and then, for tests. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { RawRequest } from './surface.ts'

export interface SlowReader extends Disposable {
  readonly socket: Socket
}

/** Resolves when the first byte of the answer has come. */
export async function startSlowReader(
  url: string,
  { method = 'POST', headers = {}, body }: RawRequest,
): Promise<SlowReader> {
  const { hostname, port } = new URL(url)
  const first = Promise.withResolvers<void>()
  const socket = connect({
    port: Number(port),
    host: hostname,
    onread: {
      buffer: Buffer.alloc(1),
      callback: () => {
        first.resolve()
        return false
      },
    },
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => first.resolve())
  await once(socket, 'connect')
  const text = JSON.stringify(body)
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${method} /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`)
  await first.promise
  const reading = setInterval(() => socket.resume(), 50)
  return {
    socket,
    [Symbol.dispose]: () => {
      clearInterval(reading)
      socket.destroy()
    },
  }
}
