/** Writes a large result as JSON a little at a time, so that nobody else waits for the whole of it. */
import { encodedFields, encodedResult, type JsonBytes } from '../plugins/encoded-result.ts'
import { inTurns } from '../plugins/in-turns.ts'
import type { ToolResult } from '../plugins/plugin.ts'

/** What a value counts besides its characters. */
const VALUE_SIZE = 16
/** What is smaller is written in a few milliseconds by whoever sends it. */
const LARGE = 512 * 1024
/** What is written in one go, and the bytes of a piece, about. */
const PIECE = 16 * 1024
/** What is nested deeper is left to whoever writes it whole, and says that it can't be. */
const MAX_DEPTH = 200

/** Those of a result that may be large. */
const FIELDS = ['content', 'structuredContent']

class TooDeep extends Error {}

/**
 * A large result becomes one of `encodedResult`; any other is returned as it is, at once. It must be plain data that
 * nobody changes. Rejects with the reason of the signal.
 */
export function encodeLarge(result: ToolResult, signal: AbortSignal | undefined): ToolResult | Promise<ToolResult> {
  const isMeant = isNested(result) && encodedFields(result) === undefined
  return isMeant && !fits(result, LARGE) ? encode(result, signal) : result
}

async function encode(result: ToolResult, signal: AbortSignal | undefined): Promise<ToolResult> {
  const fields = new Map<string, JsonBytes>()
  try {
    for (const field of FIELDS) {
      const value: unknown = Reflect.get(result, field)
      if (!fits(value, PIECE)) fields.set(field, await inTurns(bytesOf(value), signal))
    }
  } catch (error) {
    if (error instanceof TooDeep) return result
    throw error
  }
  const plain = Object.entries(result).filter(([field]) => !fields.has(field))
  return encodedResult(fields, { content: [], ...Object.fromEntries(plain) })
}

function* bytesOf(value: unknown): Generator<undefined, JsonBytes> {
  const pieces: Uint8Array[] = []
  let text = ''
  for (const part of partsOf(value, 0)) {
    text += part
    if (text.length < PIECE) continue
    pieces.push(Buffer.from(text))
    text = ''
    yield
  }
  return [...pieces, Buffer.from(text)]
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) throw new TooDeep()
  if (typeof value === 'string') yield* partsOfText(value)
  else if (!isNested(value) || fits(value, PIECE)) yield JSON.stringify(value) ?? 'null'
  else {
    const [open, close] = Array.isArray(value) ? '[]' : '{}'
    let before = open
    for (const [name, member] of Array.isArray(value) ? itemsOf(value) : membersOf(value)) {
      yield `${before}${name}`
      yield* partsOf(member, depth + 1)
      before = ','
    }
    yield before === ',' ? `${close}` : `${open}${close}`
  }
}

/** Never cut between the two halves of one character, which would become two escapes. */
function* partsOfText(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + PIECE, text.length)
    const last = text.charCodeAt(end - 1)
    const to = end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
    yield JSON.stringify(text.slice(at, to)).slice(1, -1)
    at = to
  }
  yield '"'
}

/** What stands before a value, and the value. */
type Member = readonly [string, unknown]

function* itemsOf(list: readonly unknown[]): Generator<Member> {
  for (const item of list) yield ['', item]
}

function* membersOf(value: object): Generator<Member> {
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name)
    if (member !== undefined) yield [`${JSON.stringify(name)}:`, member]
  }
}

/** Whether it is no larger than that, found out without looking at more of it. */
function fits(value: unknown, size: number): boolean {
  return spend(value, size, 0) >= 0
}

/** What is left of a size without the value; less than nothing as soon as it is too large. */
function spend(value: unknown, size: number, depth: number): number {
  let left = size - VALUE_SIZE
  if (typeof value === 'string') return left - value.length
  if (!isNested(value) || left < 0) return left
  if (depth > MAX_DEPTH) return -1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = spend(value[at], left, depth + 1)
    return left
  }
  for (const name in value) {
    left = spend(Reflect.get(value, name), left - name.length, depth + 1)
    if (left < 0) break
  }
  return left
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
