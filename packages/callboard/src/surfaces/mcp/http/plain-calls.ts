/**
 * Recognises at a glance the requests that are nearly all of the traffic: calls of a tool, and lists of them, that say
 * what they are without any doubt. Judging a request is the SDK's affair, but costs it several parses; whatever is not
 * plain still goes to it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { isObject } from '../../../is-object.ts'

export interface PlainCall {
  readonly era: 'legacy' | 'modern'
  readonly request: JSONRPCRequest
}

type Json = Readonly<Record<string, unknown>>

/** The revision whose requests stand alone. */
export const MODERN_VERSION = '2026-07-28'
const RESERVED = 'io.modelcontextprotocol/'
/** What a modern client says of itself in every request. */
const ENVELOPE_KEYS: readonly string[] = [CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY]
const MODERN_KEYS: readonly string[] = [PROTOCOL_VERSION_META_KEY, ...ENVELOPE_KEYS]
const MESSAGE_KEYS: readonly string[] = ['jsonrpc', 'id', 'method', 'params']
const CALL_KEYS: readonly string[] = ['name', 'arguments', '_meta']
const LIST_KEYS: readonly string[] = ['cursor', '_meta']

const MOST_ENVELOPES = 1000
const LONGEST_ENVELOPE = 4000

export class PlainCalls {
  /** What modern clients say of themselves, as the SDK has found it right before. */
  readonly #envelopes = new Set<string>()
  readonly #lists: boolean

  /** @param lists whether `tools/list` is recognised too */
  constructor(lists: boolean) {
    this.#lists = lists
  }

  /** The request that this body is; undefined when it takes `classifyInboundRequest` to tell. */
  recognise(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined {
    if (!this.#isPlain(body)) return undefined
    const { _meta: meta, name } = body.params ?? {}
    const version = headers['mcp-protocol-version']
    if (meta === undefined || !(PROTOCOL_VERSION_META_KEY in meta)) {
      const isLegacy = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
      return isLegacy && (meta === undefined || isOpenMeta(meta, [])) ? { era: 'legacy', request: body } : undefined
    }
    const isModern =
      meta[PROTOCOL_VERSION_META_KEY] === MODERN_VERSION &&
      version === MODERN_VERSION &&
      headers['mcp-method'] === body.method &&
      headers['mcp-name'] === name &&
      isOpenMeta(meta, MODERN_KEYS)
    return isModern && this.#envelopes.has(envelopeOf(meta)) ? { era: 'modern', request: body } : undefined
  }

  /** Remembers what the client says of itself in a request that the SDK has found right. */
  learn(body: unknown): void {
    if (!this.#isPlain(body) || body.params?._meta === undefined) return
    const envelope = envelopeOf(body.params._meta)
    if (envelope.length > LONGEST_ENVELOPE) return
    if (this.#envelopes.size >= MOST_ENVELOPES) this.#envelopes.clear()
    this.#envelopes.add(envelope)
  }

  #isPlain(body: unknown): body is PlainRequest {
    if (!isObject(body) || body.jsonrpc !== '2.0' || !isId(body.id) || !hasOnly(body, MESSAGE_KEYS)) return false
    if (body.method === 'tools/call') return isCall(body.params)
    return this.#lists && body.method === 'tools/list' && isList(body.params)
  }
}

interface PlainRequest extends JSONRPCRequest {
  readonly params?: { readonly name?: string; readonly _meta?: Json; readonly [key: string]: unknown }
}

/** Whether there is nothing in it but what every `tools/call` has, each of its right type. */
function isCall(params: unknown): boolean {
  return (
    isObject(params) &&
    typeof params.name === 'string' &&
    (params.arguments === undefined || isObject(params.arguments)) &&
    (params._meta === undefined || isObject(params._meta)) &&
    hasOnly(params, CALL_KEYS)
  )
}

function isList(params: unknown): boolean {
  if (params === undefined) return true
  return (
    isObject(params) &&
    (params.cursor === undefined || typeof params.cursor === 'string') &&
    (params._meta === undefined || isObject(params._meta)) &&
    hasOnly(params, LIST_KEYS)
  )
}

/** Whether nothing in it is the protocol's own but these keys and a progress token. */
function isOpenMeta(meta: Json, known: readonly string[]): boolean {
  for (const key in meta) if (key.startsWith(RESERVED) && !known.includes(key)) return false
  return meta.progressToken === undefined || isId(meta.progressToken)
}

function envelopeOf(meta: Json): string {
  return JSON.stringify([meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY], meta[LOG_LEVEL_META_KEY]])
}

function hasOnly(value: Json, keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false
  return true
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
