/** Who wants to open a stream where the peer allows no more for now: served in the order in which they came. */
import { type Deferred, deferred } from './deferred.ts'
import type { LinkStream } from './link.ts'
import type { LinkError } from './link-error.ts'

/** The opening side of a link's streams, whatever the transport. */
export class StreamOpeners {
  readonly #openNext: () => LinkStream | undefined
  readonly #waiting: Deferred<LinkStream>[] = []
  #refusal: LinkError | undefined

  /** `openNext` opens a stream, or gives undefined while the peer allows none. */
  constructor(openNext: () => LinkStream | undefined) {
    this.#openNext = openNext
  }

  /** Waits its turn. Rejects with the reason of the signal, and with that of `refuse`. */
  async open(signal?: AbortSignal): Promise<LinkStream> {
    signal?.throwIfAborted()
    if (this.#refusal !== undefined) throw this.#refusal
    const stream = this.#waiting.length === 0 ? this.#openNext() : undefined
    if (stream !== undefined) return stream
    const opener = deferred<LinkStream>()
    const giveUp = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(opener), 1)
      opener.reject(signal?.reason)
    }
    this.#waiting.push(opener)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await opener.promise
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** The peer may allow more now. */
  serve(): void {
    while (this.#waiting.length > 0) {
      const stream = this.#openNext()
      if (stream === undefined) return
      this.#waiting.shift()?.resolve(stream)
    }
  }

  /** From now on nobody opens a stream, for this reason: the first that is given. */
  refuse(reason: LinkError): void {
    this.#refusal ??= reason
    for (const opener of this.#waiting.splice(0)) opener.reject(reason)
  }
}
