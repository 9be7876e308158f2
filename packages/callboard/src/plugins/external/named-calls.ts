/** The calls that run on one external plugin, by the ids under which its call-backs name them. */
import type { CallboardError } from '../../errors.ts'
import type { ToolCall, ToolResult } from '../plugin.ts'

interface Running {
  /** With a signal that is aborted when the call has ended, too. */
  readonly call: ToolCall
  readonly controller: AbortController
}

export class NamedCalls {
  readonly #running = new Map<string, Running>()
  #lastId = 0

  /** The call that runs under this id. */
  get(id: string): ToolCall | undefined {
    return this.#running.get(id)?.call
  }

  /** Those that run now, the oldest first. */
  all(): readonly ToolCall[] {
    return [...this.#running.values()].map(({ call }) => call)
  }

  /** Runs it under a new id, with a signal that `abort` reaches as well. */
  async run(call: ToolCall, run: (call: ToolCall, id: string) => Promise<ToolResult>): Promise<ToolResult> {
    this.#lastId += 1
    const id = `call-${this.#lastId}`
    const controller = new AbortController()
    const cancel = (): void => controller.abort(call.signal.reason)
    if (call.signal.aborted) cancel()
    call.signal.addEventListener('abort', cancel, { once: true })
    const own = { ...call, signal: controller.signal }
    this.#running.set(id, { call: own, controller })
    try {
      return await run(own, id)
    } finally {
      call.signal.removeEventListener('abort', cancel)
      this.#running.delete(id)
      // What is done for it ends with it.
      controller.abort()
    }
  }

  /** Every call that runs now ends with this. */
  abort(reason: CallboardError): void {
    for (const { controller } of this.#running.values()) controller.abort(reason)
  }
}
