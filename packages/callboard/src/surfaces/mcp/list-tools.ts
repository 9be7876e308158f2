/** Answers `tools/list` past the SDK's server, from pages that are encoded already. */
import type { JSONRPCRequest, Result, Transport } from '@modelcontextprotocol/server'
import type { Host } from '../../host.ts'
import { protocolError } from './answer-to-error.ts'
import type { EncodedPages } from './encoded-pages.ts'
import { firstStart } from './first-start.ts'
import { ListWatch } from './list-watch.ts'
import { listedTools } from './listed-tools.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

/** One `tools/list` and all that it needs. */
interface IncomingList {
  readonly host: Host
  readonly pages: EncodedPages
  readonly options: McpServerOptions
  readonly request: JSONRPCRequest
  readonly signal: AbortSignal
  /** The connection of a client that is told when the list becomes another. */
  readonly session?: Transport
}

/** The result. Throws `ProtocolError` for what JSON-RPC answers with an error. */
export async function listTools(list: IncomingList): Promise<Result> {
  try {
    return await pageOf(list)
  } catch (thrown) {
    throw protocolError(thrown, list.host)
  }
}

async function pageOf({ host, pages, options, request, signal, session }: IncomingList): Promise<Result> {
  if (options.only !== undefined) await firstStart(host, options.only, signal)
  const listed = listedTools(await host.view(options.user, 'mcp'), options)
  const cursor = typeof request.params?.cursor === 'string' ? request.params.cursor : undefined
  const page = await pages.page(listed, options.era, cursor)
  if (session !== undefined && cursor === undefined) ListWatch.of(session)?.seen(listed)
  return page
}
