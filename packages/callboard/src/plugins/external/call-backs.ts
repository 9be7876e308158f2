/** Answers what an external plugin asks of the host. */
import {
  Fault_Code,
  type ResponseBody,
  type Serve,
  type ServedRequest,
  type ServeLimits,
} from '@callboard/sdk/external'
import { CallboardError, type ErrorCode, messageOf, UpstreamError } from '../../errors.ts'
import type { PluginHost, Progress, ToolCall } from '../plugin.ts'
import { readObject, writeJson } from './json-bytes.ts'
import type { PluginFiles } from './plugin-files.ts'
import { serveFiles } from './serve-files.ts'

/** How an error of the host's is told to a plugin; every other one is internal. */
const FAULTS: Readonly<Partial<Record<ErrorCode, Fault_Code>>> = {
  usage: Fault_Code.INVALID,
  invalid_arguments: Fault_Code.INVALID,
  not_found: Fault_Code.NOT_FOUND,
  denied: Fault_Code.DENIED,
  timeout: Fault_Code.TIMEOUT,
  cancelled: Fault_Code.CANCELLED,
  unavailable: Fault_Code.UNAVAILABLE,
}

/** What a plugin may have under way: a few of the largest requests that there are. */
export const CALL_BACK_LIMITS: ServeLimits = { maxBytes: 64 * 1024 * 1024 }

export interface CallBacksOptions {
  readonly host: PluginHost
  /** The call of the plugin's that runs under this id, with a signal that ends with it. */
  readonly callOf: (requestId: string) => ToolCall | undefined
  readonly files: PluginFiles
  readonly onToolsChanged: () => void
  readonly redact: (text: string) => string
}

export function answerCallBacks(options: CallBacksOptions): Serve {
  return async (request) => {
    try {
      return await answer(request, options)
    } catch (error) {
      return faultOf(error, options)
    }
  }
}

async function answer(request: ServedRequest, options: CallBacksOptions): Promise<ResponseBody> {
  const { body } = request
  switch (body.case) {
    case 'toolsChanged':
      options.onToolsChanged()
      return { case: 'done', value: {} }
    case 'toolCall':
      return await callTool(request, body.value, options)
    case 'storageRead':
    case 'storageWrite':
    case 'storageDelete':
    case 'storageList':
      return await serveFiles(options.files, body)
    default: {
      const message = `this host serves no ${body.case ?? 'request of that kind'}`
      return { case: 'fault', value: { code: Fault_Code.UNKNOWN_REQUEST, message } }
    }
  }
}

type CallBack = Extract<ServedRequest['body'], { case: 'toolCall' }>['value']

/** Runs as the user of the call for which it is done, narrowed as that is, and no longer than that. */
async function callTool(
  { signal, sendPart }: ServedRequest,
  { toolName, argumentsJson, provider, wantsProgress, parentRequestId }: CallBack,
  { host, callOf }: CallBacksOptions,
): Promise<ResponseBody> {
  const parent = callOf(parentRequestId)
  if (parent === undefined)
    throw new CallboardError(
      'denied',
      `no call with the id ${JSON.stringify(parentRequestId)} runs; name the call for which it is done in \`parent_request_id\``,
    )
  const args = argumentsJson.length === 0 ? {} : readObject(argumentsJson, 'the arguments')
  const { onProgress: _, takesEncoded: __, ...rest } = parent
  const steps = new NewestStep(sendPart)
  const onProgress = (step: Progress): void => steps.tell(step)
  const call = { ...rest, signal: AbortSignal.any([parent.signal, signal]), ...(wantsProgress && { onProgress }) }
  try {
    const result = await host.call(call, toolName, args, provider === '' ? {} : { provider })
    return { case: 'toolCall', value: { success: result.isError !== true, resultJson: writeJson(result) } }
  } finally {
    await steps.sent
  }
}

/** Tells steps at the pace of their reader: while one is on its way, the newest of those that come is kept. */
class NewestStep {
  readonly #sendPart: ServedRequest['sendPart']
  #newest: Progress | undefined
  #isSending = false
  /** Resolves when nothing is on its way any more, so that no step comes behind the answer. */
  sent: Promise<void> = Promise.resolve()

  constructor(sendPart: ServedRequest['sendPart']) {
    this.#sendPart = sendPart
  }

  tell(step: Progress): void {
    this.#newest = step
    // A reader that is gone is told by the signal, and is sent nothing more.
    if (!this.#isSending) this.sent = this.#send().catch(() => {})
  }

  async #send(): Promise<void> {
    this.#isSending = true
    for (let step = this.#newest; step !== undefined; step = this.#newest) {
      this.#newest = undefined
      await this.#sendPart({ case: 'progress', value: partOf(step) })
    }
    this.#isSending = false
  }
}

function partOf({ progress, total, message }: Progress) {
  return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
}

function faultOf(error: unknown, { host, redact }: CallBacksOptions): ResponseBody {
  const isForThePlugin = error instanceof CallboardError || error instanceof UpstreamError || error instanceof TypeError
  if (!isForThePlugin) host.log.error({ err: error }, 'a call-back failed in the host')
  const code = error instanceof TypeError ? Fault_Code.INVALID : error instanceof CallboardError && FAULTS[error.code]
  const message = isForThePlugin ? redact(messageOf(error)) : 'the host failed; its log says why'
  return { case: 'fault', value: { code: code || Fault_Code.INTERNAL, message } }
}
