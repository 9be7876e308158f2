/** Answers what a plugin of the existing protocol asks of the host. */
import {
  HealthResult_Status,
  type ReceivedRequest,
  type ResponseBody,
  type Serve,
  type ServedRequest,
} from '@callboard/sdk/external'
import type { OrchestraGrants } from '../../../config/config.ts'
import { CallboardError, type ErrorCode, messageOf, UpstreamError } from '../../../errors.ts'
import { inputSchemaOf } from '../../../tools/arguments.ts'
import type { PluginHost } from '../../plugin.ts'
import type { NamedCalls } from '../named-calls.ts'
import type { PluginFiles } from '../plugin-files.ts'
import { serveFiles } from '../serve-files.ts'
import { type ActingOptions, actingCall } from './acting-call.ts'
import type { EventBus } from './event-bus.ts'
import type { Registration } from './registration.ts'
import type { Subscriptions } from './subscriptions.ts'
import { type Struct, toStruct, toToolAnswer } from './tool-values.ts'

/** What an event may carry, since it is sent to each subscription by itself. */
const MAX_PAYLOAD_BYTES = 64 * 1024

/** How an error of the host's is called in this protocol; every other one is `handler_error`. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  usage: 'validation_error',
  invalid_arguments: 'validation_error',
  not_found: 'tool_not_found',
  denied: 'permission_denied',
  timeout: 'timeout',
  cancelled: 'cancelled',
  unavailable: 'unavailable',
}

export interface AnswerOptions {
  readonly pluginId: string
  readonly host: PluginHost
  readonly grants: OrchestraGrants
  /** Those that run on the plugin. */
  readonly calls: NamedCalls
  readonly files: PluginFiles
  readonly bus: EventBus
  readonly subscriptions: Subscriptions
  readonly registration: Registration
  readonly redact: (text: string) => string
}

/** The protocol has no message for errors: a failed tool call stands for each, whatever was asked. */
export function answerPlugin(options: AnswerOptions): Serve {
  return async (request) => {
    const over = new AbortController()
    try {
      return await answer({ ...request, signal: AbortSignal.any([request.signal, over.signal]) }, options)
    } catch (error) {
      return failureOf(request.body, error, options)
    } finally {
      over.abort()
    }
  }
}

async function answer(request: ServedRequest, options: AnswerOptions): Promise<ResponseBody> {
  const { body } = request
  const { grants, registration } = options
  if (body.case === 'register') return registration.take(body.value)
  if (registration.manifest === undefined) throw new CallboardError('denied', 'a plugin registers before it asks')
  switch (body.case) {
    case 'health':
      return { case: 'health', value: { status: HealthResult_Status.HEALTHY } }
    case 'listTools':
      return await listTools(request, options)
    case 'toolCall':
      return await callTool(request, body.value, options)
    case 'storageRead':
    case 'storageWrite':
    case 'storageDelete':
    case 'storageList':
      demand('storage', grants)
      return await serveFiles(options.files, body)
    case 'subscribe':
    case 'unsubscribe':
    case 'publish':
      demand('events', grants)
      return serveEvents(body, options)
    default: {
      const errorMessage = `this host serves no ${body.case ?? 'request of that kind'}`
      return { case: 'toolCall', value: { success: false, errorCode: 'unknown_request', errorMessage } }
    }
  }
}

function demand(grant: 'storage' | 'events', grants: OrchestraGrants): void {
  if (!grants[grant])
    throw new CallboardError('denied', `the plugin has no ${grant}; add \`${grant}\` to its \`grants\` if it should`)
}

function actingOf({ signal }: ServedRequest, { pluginId, host, grants, calls }: AnswerOptions): ActingOptions {
  return { pluginId, host, grants, running: calls.all(), signal }
}

/** What the acting user may use, under the names by which it is called. */
async function listTools(request: ServedRequest, options: AnswerOptions): Promise<ResponseBody> {
  const { catalog } = await actingCall(actingOf(request, options))
  const tools = Array.from(catalog.tools, ({ entry, definition }) => ({
    name: entry.name,
    description: entry.description,
    inputSchema: toStruct(inputSchemaOf(definition)),
  }))
  return { case: 'listTools', value: { tools } }
}

type CallBack = Extract<ReceivedRequest, { case: 'toolCall' }>['value']

async function callTool(
  request: ServedRequest,
  { toolName, arguments: args = {}, provider }: CallBack,
  options: AnswerOptions,
): Promise<ResponseBody> {
  const parent = await actingCall(actingOf(request, options))
  const result = await options.host.call(parent, toolName, args, provider === '' ? {} : { provider })
  return { case: 'toolCall', value: toToolAnswer(result) }
}

type EventRequest = Extract<ReceivedRequest, { case: 'subscribe' | 'unsubscribe' | 'publish' }>

function serveEvents(body: EventRequest, { pluginId, bus, subscriptions }: AnswerOptions): ResponseBody {
  switch (body.case) {
    case 'subscribe': {
      const { subscriptionId, topic, filters } = body.value
      const id = subscriptions.add(subscriptionId, { topic, filters })
      return { case: 'eventDelivery', value: { subscriptionId: id, topic, eventType: 'subscribed' } }
    }
    case 'unsubscribe':
      subscriptions.remove(body.value.subscriptionId)
      return NOTHING
    case 'publish': {
      const { topic, eventType, payload } = body.value
      // Who published it is not the plugin's to say.
      bus.publish({ topic, eventType, payload, bytes: payloadBytes(payload), sourcePlugin: pluginId })
      return NOTHING
    }
  }
}

function payloadBytes(payload: Struct = {}): number {
  const bytes = Buffer.byteLength(JSON.stringify(payload))
  if (bytes > MAX_PAYLOAD_BYTES)
    throw new CallboardError(
      'usage',
      `the payload of an event has ${bytes} bytes as JSON, and ${MAX_PAYLOAD_BYTES} are as many as there may be; keep what is large in storage, and publish its path`,
    )
  return bytes
}

/** An answer without anything in it. */
const NOTHING: ResponseBody = { case: undefined }

function failureOf(body: ReceivedRequest, error: unknown, { host, redact }: AnswerOptions): ResponseBody {
  const isForThePlugin = error instanceof CallboardError || error instanceof UpstreamError
  if (!isForThePlugin) host.log.error({ err: error }, 'a call-back failed in the host')
  const errorMessage = isForThePlugin ? redact(messageOf(error)) : 'the host failed; its log says why'
  if (body.case === 'storageWrite') return { case: 'storageWrite', value: { success: false, error: errorMessage } }
  const errorCode = (error instanceof CallboardError ? CODES[error.code] : undefined) ?? 'handler_error'
  return { case: 'toolCall', value: { success: false, errorCode, errorMessage } }
}
