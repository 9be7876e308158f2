/** MCP over stdin and stdout: one client, both eras, until it goes or the host is told to stop. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio'
import { messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { complaint } from './answer-to-unreadable.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { reserveStdout } from './reserve-stdout.ts'
import { StdioTransport } from './stdio-transport.ts'
import { wholeLines } from './whole-lines.ts'

/** Longest message from a client: a file of some 45 MiB as base64 still fits. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/**
 * Serves until stdin ends or `signal` is aborted, then resolves; the host goes on. Calls that still run then are
 * cancelled. While it serves, whatever else in this process writes to stdout lands on stderr. A message over 64 MiB is
 * left out and answered with an error that has no id, since nobody reads so far as to know it.
 */
export async function serveStdio(
  host: Host,
  optionsOf: (era: McpServerOptions['era']) => McpServerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const { stdout, release } = reserveStdout()
  // The SDK joins what it has with each chunk that comes, which takes minutes for a long message; whole lines spare it.
  const onLong = (): void => {
    const message = `a message of more than ${MAX_MESSAGE_BYTES} bytes was left out; send less at once`
    host.log.warn(message)
    stdout.write(`${JSON.stringify(complaint(null, ProtocolErrorCode.InvalidRequest, message))}\n`)
  }
  const lines = process.stdin.pipe(wholeLines(MAX_MESSAGE_BYTES, onLong))
  const broken = (error: Error): void => {
    lines.destroy(error)
  }
  process.stdin.on('error', broken)
  const transport = new StdioTransport(lines, stdout, host.log)
  const connection = serveSdk(({ era }) => createMcpServer(host, optionsOf(era)), {
    transport,
    onerror: (error) => host.log.warn({ err: messageOf(error) }, 'a message on stdio was not served'),
  })
  const ended = Promise.withResolvers<void>()
  const tearDown = transport.onclose
  transport.onclose = () => {
    tearDown?.()
    ended.resolve()
  }
  const stop = (): void => {
    connection.close().catch(ended.reject)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    await ended.promise
  } finally {
    signal.removeEventListener('abort', stop)
    process.stdin.off('error', broken).unpipe(lines)
    process.stdin.pause()
    release()
  }
}
