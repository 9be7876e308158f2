/** How many calls of one plugin run at once, and whose turn it is when more are wanted. */
import { CallboardError } from '../errors.ts'

export interface SlotLimits {
  /** How many calls run at once. */
  readonly concurrency: number
  /** How many more may wait. */
  readonly queue: number
}

/** A call that waits. */
interface Waiter {
  readonly admit: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * The slots of one plugin. Who has to wait is let in by user, one call of each in turn, so that one who asks for a
 * thousand things at once takes no more of the server than one who asks for a single one. Each `enter` that let a call
 * in is followed by one `leave`; a call that was refused, or that gave up waiting, holds nothing.
 */
export class CallSlots {
  readonly #pluginId: string
  /** By user, whose turn it is first; each user's calls in their order. Nobody is in it without a call. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #waitingCalls = 0
  #running = 0
  #concurrency = 0

  constructor(pluginId: string) {
    this.#pluginId = pluginId
  }

  /** How many calls run now. */
  get running(): number {
    return this.#running
  }

  /** How many calls wait now. */
  get waiting(): number {
    return this.#waitingCalls
  }

  /**
   * Lets the call in at once and answers undefined, or answers when it is let in. Rejects with the signal's reason as
   * soon as that is aborted, and with `unavailable` where too many wait: then it is the last call of the user with the
   * most of them that goes. The limits are those of this moment; other ones than before take effect with the next call.
   */
  enter(user: string, signal: AbortSignal, limits: SlotLimits): Promise<void> | undefined {
    this.#concurrency = limits.concurrency
    if (this.#running < limits.concurrency && this.#waitingCalls === 0) {
      this.#running += 1
      return undefined
    }
    const waiting = this.#wait(user, signal, limits)
    while (this.#admitNext());
    return waiting
  }

  /** Takes note that a call has ended; its slot goes to whoever is next. */
  leave(): void {
    this.#running -= 1
    this.#admitNext()
  }

  /**
   * Lets in everybody who waits, because the plugin leaves and takes no more calls; each of them leaves as any other.
   */
  disband(): void {
    this.#concurrency = Number.POSITIVE_INFINITY
    while (this.#admitNext());
  }

  async #wait(user: string, signal: AbortSignal, limits: SlotLimits): Promise<void> {
    signal.throwIfAborted()
    if (this.#waitingCalls >= limits.queue) this.#makeRoom(user, limits)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { admit: resolve, refuse: reject }
    const calls = this.#waiting.get(user) ?? new Set()
    this.#waiting.set(user, calls.add(waiter))
    this.#waitingCalls += 1
    const giveUp = (): void => {
      if (this.#remove(user, waiter)) reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** Throws when it is this user who has the most calls waiting. */
  #makeRoom(user: string, limits: SlotLimits): void {
    const error = new CallboardError('unavailable', this.#fullWords(limits))
    const own = (this.#waiting.get(user)?.size ?? 0) + 1
    const [most, calls] = [...this.#waiting].reduce(
      (longest, next) => (next[1].size > longest[1].size ? next : longest),
      [user, new Set<Waiter>()],
    )
    const last = calls.size > own ? [...calls].at(-1) : undefined
    if (last === undefined) throw error
    this.#remove(most, last)
    last.refuse(error)
  }

  #fullWords({ concurrency, queue }: SlotLimits): string {
    const now = `${this.#running} of its calls run and ${this.#waitingCalls} wait`
    return `plugin "${this.#pluginId}" is too busy: ${now}, at most ${concurrency} and ${queue}; call again later, or raise \`concurrency\` of the plugin, or \`limits.queue\``
  }

  /** Lets in one call of the user whose turn it is; false when there is no slot, or nobody waits. */
  #admitNext(): boolean {
    if (this.#running >= this.#concurrency) return false
    for (const [user, calls] of this.#waiting) {
      for (const waiter of calls) {
        this.#remove(user, waiter)
        // To the end of the line, where others of this user wait.
        if (this.#waiting.delete(user)) this.#waiting.set(user, calls)
        this.#running += 1
        waiter.admit()
        return true
      }
    }
    return false
  }

  /** False when it does not wait any more. */
  #remove(user: string, waiter: Waiter): boolean {
    const calls = this.#waiting.get(user)
    if (calls?.delete(waiter) !== true) return false
    this.#waitingCalls -= 1
    if (calls.size === 0) this.#waiting.delete(user)
    return true
  }
}
