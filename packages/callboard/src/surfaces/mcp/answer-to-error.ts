/**
 * What a client is told when a call could not be run: a result where its model can act on the words, else a JSON-RPC
 * error.
 */
import { ProtocolError, ProtocolErrorCode, type Result } from '@modelcontextprotocol/server'
import { CallboardError, UpstreamError } from '../../errors.ts'
import { parseWritten } from '../../exact-json.ts'
import type { Host } from '../../host.ts'

/**
 * A tool that is not there, and a fault of this host, are JSON-RPC errors; so is the error of an MCP server, with its
 * own code, message and data, but for the host's secrets. Wrong arguments (SEP-1303), a refusal, a server that is down
 * or too slow are results with `isError`: clients show those to the model, which can mend the call, wait or say why
 * not.
 *
 * Clients of 2026-07-28 are answered other codes instead of those that it has retired: -32602 for -32002, on their way out,
 * and -32603 for -32042, with which a server of an older revision asks for something that nobody is asked for here.
 */
export function answerToError(thrown: unknown, host: Host, era: 'legacy' | 'modern'): Result {
  if (thrown instanceof UpstreamError) throw upstreamAnswer(thrown, host, era)
  if (!(thrown instanceof CallboardError)) throw protocolError(thrown, host)
  const text = host.secrets.redact(thrown.message)
  switch (thrown.code) {
    case 'not_found':
    case 'usage':
    case 'config':
    case 'internal':
      throw new ProtocolError(thrown.rpcCode, text)
    case 'invalid_arguments':
    case 'tool_failed':
    case 'unavailable':
    case 'interrupted':
    case 'timeout':
    case 'cancelled':
    case 'denied':
      return { content: [{ type: 'text', text }], isError: true }
  }
}

/**
 * The error that is answered for what has no words of its own for a client. What an application's gate or the host
 * itself threw may tell more than a client should know, so it is in the log alone.
 */
export function protocolError(thrown: unknown, host: Host): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown
  host.log.error({ err: thrown }, 'a request failed in the host')
  return new ProtocolError(ProtocolErrorCode.InternalError, 'internal error; see the log of the callboard')
}

function upstreamAnswer(
  { rpcCode, message, writtenData: data }: UpstreamError,
  { secrets }: Host,
  era: 'legacy' | 'modern',
): ProtocolError {
  const isRetired = era === 'modern' && rpcCode === ProtocolErrorCode.UrlElicitationRequired
  const code = isRetired ? ProtocolErrorCode.InternalError : rpcCode
  const text = JSON.stringify(data)
  const shown = text && secrets.redact(text)
  // Without a secret the data stay what they are.
  return new ProtocolError(code, secrets.redact(message), shown === text ? data : parsed(shown))
}

/** What the JSON says, or the text itself where a secret took a part of the JSON's own marks with it, as a number does. */
function parsed(text: string): unknown {
  try {
    return parseWritten(text)
  } catch {
    return text
  }
}
