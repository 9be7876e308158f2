/**
 * Holds the headers of a call against its arguments, where the tool's schema wants some of them in both (2026-07-28).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ProtocolError } from '@modelcontextprotocol/server'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { headerArgumentsOf, headerMismatch } from '../../tools/header-arguments.ts'

/** The protocol's code for headers that do not fit the body (2026-07-28, Streamable HTTP, server validation). */
const HEADER_MISMATCH = -32_020

/** The error for the first header that is missing or wrong; undefined when all are right. */
export function headerFault(
  { definition }: CatalogTool,
  args: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): ProtocolError | undefined {
  // The short form of arguments has no room for the annotation.
  if (definition.inputSchema === undefined) return undefined
  const wanted = headerArgumentsOf(definition.inputSchema)
  // Clients have to drop a tool whose annotations are invalid, so whoever calls it can't know better.
  if (wanted.kind === 'invalid' || wanted.arguments.length === 0) return undefined
  const mismatch = headerMismatch(wanted.arguments, args, (name) => {
    const value = headers[name.toLowerCase()]
    return typeof value === 'string' ? value : undefined
  })
  if (mismatch === undefined) return undefined
  const { header, reason } = mismatch
  return new ProtocolError(HEADER_MISMATCH, `the request's headers and body disagree: ${reason}`, { header })
}
