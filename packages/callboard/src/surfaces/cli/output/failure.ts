/** Says what went wrong, for people or as JSON, and with which exit code the command ends. */
import { CallboardError, messageOf, UpstreamError } from '../../../errors.ts'
import { printable } from '../../../printable.ts'
import type { Output } from './terminal.ts'

/** An error as a script reads it. */
interface Failure {
  /** A code of the table in `errors.ts`. */
  readonly code: string
  readonly message: string
  readonly exitCode: number
  /** What usually helps. */
  readonly mend?: string
  /** What a server's own JSON-RPC error carried. */
  readonly rpcCode?: number
  readonly data?: unknown
}

/** How a failure is written. */
export interface FailureOptions {
  readonly json: boolean
  /** Replaces the secrets that are known by now. */
  readonly redact: (text: string) => string
  /** Also write where an internal error comes from. */
  readonly stack: boolean
}

/** Codes of which the usual mend says nothing that the message does not. */
const PLAIN: ReadonlySet<string> = new Set(['tool_failed', 'cancelled'])

function toFailure(error: unknown): Failure {
  if (error instanceof CallboardError)
    return { code: error.code, message: error.message, exitCode: error.exitCode, mend: error.mend }
  const failed = new CallboardError(error instanceof UpstreamError ? 'tool_failed' : 'internal', messageOf(error))
  const failure = { code: failed.code, message: failed.message, exitCode: failed.exitCode, mend: failed.mend }
  return error instanceof UpstreamError ? { ...failure, rpcCode: error.rpcCode, data: error.writtenData } : failure
}

/** Writes the failure to standard error and returns the exit code. */
export function writeFailure(stderr: Output, error: unknown, options: FailureOptions): number {
  const failure = toFailure(error)
  if (options.json) stderr.write(`${options.redact(JSON.stringify({ error: failure }))}\n`)
  else {
    const lines = [`${stderr.style('red', 'callboard:')} ${printable(failure.message)}`]
    if (failure.mend && !PLAIN.has(failure.code)) lines.push(stderr.style('dim', `  ${failure.mend}`))
    stderr.write(`${options.redact(lines.join('\n'))}\n`)
  }
  if (options.stack && error instanceof Error) stderr.write(`${options.redact(error.stack ?? '')}\n`)
  return failure.exitCode
}
