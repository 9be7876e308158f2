/** MCP over stdin and stdout: one client, both eras, until it goes or the host is told to stop. */
import { serveStdio as serveSdk, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { reserveStdout } from './reserve-stdout.ts'

const MEBIBYTE = 1024 * 1024

/** Longest message from a client: a file of some 45 MiB as base64 still fits. */
const MAX_MESSAGE_MIB = 64

/**
 * Serves until stdin ends or `signal` is aborted, then resolves; the host goes on. Calls that still run then are
 * cancelled. While it serves, whatever else in this process writes to stdout lands on stderr. A message over 64 MiB ends
 * the connection, with a line in the log.
 */
export async function serveStdio(
  host: Host,
  options: Omit<McpServerOptions, 'era'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const { stdout, release } = reserveStdout()
  const transport = new StdioServerTransport(process.stdin, stdout, { maxBufferSize: MAX_MESSAGE_MIB * MEBIBYTE })
  const connection = serveSdk(({ era }) => createMcpServer(host, { ...options, era }), {
    transport,
    onerror: (error) =>
      host.log.warn({ err: messageOf(error) }, `stdio: a message was not read; one may have ${MAX_MESSAGE_MIB} MiB`),
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
    release()
  }
}
