/** Runs one call that came over a link. */
import type { DefinedTool } from '../../define-plugin.ts'
import { runTool, type ToolOutcome } from '../../run-tool.ts'
import { textOfThrown } from '../../text-of-thrown.ts'
import type { ToolContext, ToolLogMethod } from '../../tool-action.ts'
import type { Asker } from '../protocol/asker.ts'
import { Fault_Code, type ToolRequest } from '../protocol/generated/plugin_pb.ts'
import type { ResponseBody } from '../protocol/messages.ts'
import type { ServedRequest } from '../protocol/serve-link.ts'
import { callBack } from './call-back.ts'
import { CallParts } from './call-parts.ts'
import { objectIn } from './json-object.ts'
import { noCatalog } from './no-catalog.ts'

export interface ServedCall {
  readonly tool: DefinedTool
  readonly request: ServedRequest
  readonly call: ToolRequest
  /** Asks the host that made the call. */
  readonly asker: Asker
  /** Aborted when the plugin can wait for its calls no longer. */
  readonly ending: AbortSignal
  /** Takes what the plugin's own log should have: where a tool broke. */
  readonly report: (text: string) => void
}

/** Never rejects for what the action does. Settles when the call is over, even where its action is not. */
export async function serveCall(served: ServedCall): Promise<ResponseBody> {
  const { tool, request, call, ending } = served
  // Not `AbortSignal.any`: Node 22 keeps what is made of a signal that lives on, and gets slower with each.
  const over = new AbortController()
  const stop = watch([request.signal, ending], over)
  const { timeoutMs } = call
  const timer = timeoutMs > 0n ? setTimeout(() => over.abort(timedOut(timeoutMs)), delayOf(timeoutMs)) : undefined
  try {
    const args = objectIn(call.argumentsJson, 'the arguments')
    const parts = new CallParts(request.sendPart)
    const outcome = await settled(runTool(tool, args, contextOf(served, parts, over.signal)), over.signal)
    await settled(parts.sent, over.signal)
    return answerOf(served, outcome)
  } catch (thrown) {
    if (over.signal.aborted) return overFault(over.signal.reason)
    return fault(Fault_Code.INVALID, textOfThrown(thrown))
  } finally {
    clearTimeout(timer)
    stop()
  }
}

function contextOf({ request, call, asker }: ServedCall, parts: CallParts, signal: AbortSignal): ToolContext {
  const write = (level: string): ToolLogMethod => {
    return (message, fields = {}) => parts.log(level, Object.keys(fields).length > 0 ? { message, ...fields } : message)
  }
  const tell = call.wantsProgress ? (step: Parameters<ToolContext['progress']>[0]) => parts.tell(step) : undefined
  return {
    user: call.user,
    signal,
    catalog: noCatalog,
    log: { debug: write('debug'), info: write('info'), warn: write('warning'), error: write('error') },
    meta: objectIn(call.metaJson, 'the fields of `_meta`'),
    progress: (step) => tell?.(step),
    call: callBack({ asker, parentId: request.requestId, signal, tell }),
  }
}

function answerOf({ tool: { definition }, report }: ServedCall, outcome: ToolOutcome): ResponseBody {
  switch (outcome.kind) {
    case 'answered': {
      const { result } = outcome
      return {
        case: 'toolCall',
        value: { success: result.isError !== true, resultJson: Buffer.from(JSON.stringify(result)) },
      }
    }
    case 'invalid':
      return fault(
        Fault_Code.INVALID,
        `invalid arguments for ${JSON.stringify(definition.name)}: ${outcome.problems.join('; ')}`,
      )
    case 'failed':
      report(`tool ${JSON.stringify(definition.name)} failed: ${stackOf(outcome)}`)
      return fault(Fault_Code.INTERNAL, `failed to run ${JSON.stringify(definition.name)}: ${outcome.reason}`)
  }
}

/** Where it was thrown, or what. */
function stackOf({ reason, cause }: Extract<ToolOutcome, { kind: 'failed' }>): string {
  try {
    return cause instanceof Error && typeof cause.stack === 'string' ? cause.stack : reason
  } catch {
    return reason
  }
}

/** The answer that says why there is none. */
export function fault(code: Fault_Code, message: string): ResponseBody {
  return { case: 'fault', value: { code, message } }
}

class TimedOut extends Error {}

function timedOut(timeoutMs: bigint): TimedOut {
  return new TimedOut(`the call took longer than ${timeoutMs} ms`)
}

function overFault(reason: unknown): ResponseBody {
  return reason instanceof TimedOut
    ? fault(Fault_Code.TIMEOUT, reason.message)
    : fault(Fault_Code.CANCELLED, textOfThrown(reason))
}

/** Timers take no more than 31 bits. */
function delayOf(timeoutMs: bigint): number {
  return Number(timeoutMs < 0x7fffffffn ? timeoutMs : 0x7fffffffn)
}

/** Aborts the controller with the first of the signals. Returns the way to stop that. */
function watch(signals: readonly AbortSignal[], over: AbortController): () => void {
  const listeners = signals.map((signal) => {
    const listener = (): void => over.abort(signal.reason)
    if (signal.aborted) listener()
    signal.addEventListener('abort', listener, { once: true })
    return { signal, listener }
  })
  return () => {
    for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener)
  }
}

/** Settles as the work does, or rejects with the signal's reason as soon as that is aborted. */
function settled<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  return promise
}
