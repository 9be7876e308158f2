/**
 * The one error class of the host, and the table of its codes: HTTP status, JSON-RPC code, exit code and the usual
 * mend.
 */

/** The kinds of errors of the host; what each means outside is in the table below. */
export type ErrorCode =
  | 'usage'
  | 'invalid_arguments'
  | 'not_found'
  | 'tool_failed'
  | 'unavailable'
  | 'interrupted'
  | 'timeout'
  | 'cancelled'
  | 'denied'
  | 'config'
  | 'internal'

/** What a code means outside the process: HTTP status, JSON-RPC code, exit code, and what usually helps. */
interface ErrorCodeFacts {
  readonly http: number
  readonly rpc: number
  readonly exit: number
  readonly mend: string
}

const TABLE: Readonly<Record<ErrorCode, ErrorCodeFacts>> = {
  usage: { http: 400, rpc: -32602, exit: 64, mend: '' },
  invalid_arguments: { http: 400, rpc: -32602, exit: 65, mend: '' },
  not_found: { http: 404, rpc: -32602, exit: 66, mend: 'find the name with `callboard list`' },
  tool_failed: { http: 200, rpc: -32603, exit: 1, mend: 'read the message of the tool' },
  unavailable: { http: 503, rpc: -32603, exit: 69, mend: 'see the state with `callboard plugins`' },
  interrupted: { http: 502, rpc: -32603, exit: 75, mend: 'look whether it was done before you call again' },
  timeout: { http: 504, rpc: -32603, exit: 69, mend: 'raise the `timeout` of the plugin' },
  cancelled: { http: 499, rpc: -32603, exit: 130, mend: 'call again' },
  denied: { http: 403, rpc: -32602, exit: 77, mend: '' },
  config: { http: 500, rpc: -32603, exit: 78, mend: '' },
  internal: { http: 500, rpc: -32603, exit: 70, mend: 'report it with the log' },
}

/** An error that a person can act on. Its message is lower-case, names the thing and says what would work. */
export class CallboardError extends Error {
  readonly code: ErrorCode
  readonly #mend: string | undefined

  /** @param options `mend` where more is known of it than what usually helps with the code */
  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown; readonly mend?: string }) {
    super(message, options)
    this.name = 'CallboardError'
    this.code = code
    this.#mend = options?.mend
  }

  /** The HTTP status of an answer that carries this error. */
  get httpStatus(): number {
    return TABLE[this.code].http
  }

  /** The JSON-RPC error code of an answer that carries this error. */
  get rpcCode(): number {
    return TABLE[this.code].rpc
  }

  /** The exit code of a command that ends with this error. */
  get exitCode(): number {
    return TABLE[this.code].exit
  }

  /** What helps, for a surface that has room for it; empty where each message of the code says it itself. */
  get mend(): string {
    return this.#mend ?? TABLE[this.code].mend
  }
}

/**
 * A JSON-RPC error that a plugin's own server answered. Surfaces pass its code, message and data on as they are; it is
 * not a fault of the host, so it has no place in the table.
 */
export class UpstreamError extends Error {
  readonly rpcCode: number
  readonly data: unknown
  /** The data with their numbers as `readJson` has them, for who passes them on; the same data where there are none such. */
  readonly writtenData: unknown

  constructor(rpcCode: number, message: string, data?: unknown, writtenData: unknown = data) {
    super(message)
    this.name = 'UpstreamError'
    this.rpcCode = rpcCode
    this.data = data
    this.writtenData = writtenData
  }
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
