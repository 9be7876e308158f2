/**
 * What is said in JSON over the control socket, read with care: the other end may be another version, or something
 * else.
 */
import type { ResultForm } from '../output/terminal.ts'
import type { OtherHost } from './running-host.ts'

/** The version of what is said; another one is only read as far as `Hello`, which stays as it is. */
export const PROTOCOL = 1

/** The host's first words. */
export interface Hello extends OtherHost {
  readonly protocol: number
}

/** One output of a command, as the command sees it. */
export interface OutputFacts {
  readonly isTerminal: boolean
  /** Columns; absent where it does not say. */
  readonly columns?: number
}

/** What the host is to run, and for what terminal. */
export interface RunRequest {
  /** The words after `callboard`. */
  readonly words: readonly string[]
  readonly stdout: OutputFacts
  readonly stderr: OutputFacts
  /** The variables that decide on colours. */
  readonly env: { readonly NO_COLOR?: string; readonly TERM?: string }
}

/** The first words of a host, or undefined where they are not. */
export function parseHello(payload: Buffer): Hello | undefined {
  const { protocol, version, pid, since, address, config } = objectOf(payload)
  const isHello =
    typeof protocol === 'number' &&
    typeof version === 'string' &&
    typeof pid === 'number' &&
    typeof since === 'number' &&
    typeof address === 'string' &&
    typeof config === 'string'
  return isHello ? { protocol, version, pid, since, address, config } : undefined
}

/** What a command asks for, or undefined where it can't be read. */
export function parseRunRequest(payload: Buffer): RunRequest | undefined {
  const { words, stdout, stderr, env } = objectOf(payload)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined
  const { NO_COLOR, TERM } = recordOf(env)
  return {
    words,
    stdout: factsOf(stdout),
    stderr: factsOf(stderr),
    env: { ...(typeof NO_COLOR === 'string' && { NO_COLOR }), ...(typeof TERM === 'string' && { TERM }) },
  }
}

/** The exit code that a host sent, or undefined where there is none. */
export function parseExit(payload: Buffer): number | undefined {
  const code = jsonOf(payload)
  return typeof code === 'number' && Number.isInteger(code) && code >= 0 && code <= 255 ? code : undefined
}

/** How a host wants the result of a tool to be written. */
export function parseResultForm(payload: Buffer): ResultForm {
  return { json: objectOf(payload).json === true }
}

function factsOf(value: unknown): OutputFacts {
  const { isTerminal, columns } = recordOf(value)
  const isWidth = typeof columns === 'number' && Number.isInteger(columns) && columns > 0
  return { isTerminal: isTerminal === true, ...(isWidth && { columns }) }
}

function objectOf(payload: Buffer): Readonly<Record<string, unknown>> {
  return recordOf(jsonOf(payload))
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    // Whoever asked finds nothing of what it looks for, and says so.
    return undefined
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
