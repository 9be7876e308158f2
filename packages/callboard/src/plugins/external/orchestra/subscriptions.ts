/** What one plugin subscribed to, and how it hears of it. */
import { randomUUID } from 'node:crypto'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { EventBus, PluginEvent, Subscription } from './event-bus.ts'

/** Subscriptions of one plugin. */
const MAX_SUBSCRIPTIONS = 256
/** Events that the plugin has not taken yet; more are dropped. */
const MAX_WAITING = 64
/** What their payloads may have together, since each is sent anew for each subscription. */
const MAX_WAITING_BYTES = 512 * 1024
/** How long it may take to take one. */
const DELIVERY_MS = 5_000

/** Tells the plugin of an event; resolves when it has taken it. */
export type Tell = (event: PluginEvent, signal: AbortSignal) => Promise<void>

export class Subscriptions {
  readonly #bus: EventBus
  readonly #log: Log
  readonly #ended = new AbortController()
  readonly #byId = new Map<string, () => void>()
  #tell: Tell | undefined
  #waiting = 0
  #waitingBytes = 0
  #isDropping = false

  constructor(bus: EventBus, log: Log) {
    this.#bus = bus
    this.#log = log
  }

  /** The plugin can be told from now on; what is published before is not for it. */
  open(tell: Tell): void {
    this.#tell = tell
  }

  /** Answers with the id of the subscription: the given one, or one that is made. Another one of that id ends. */
  add(given: string, { topic, filters }: Omit<Subscription, 'deliver'>): string {
    const id = given || randomUUID()
    if (this.#byId.size >= MAX_SUBSCRIPTIONS && !this.#byId.has(id))
      throw new CallboardError('denied', `it has ${MAX_SUBSCRIPTIONS} subscriptions, which is as many as there may be`)
    this.remove(id)
    this.#byId.set(id, this.#bus.subscribe({ topic, filters, deliver: (event) => this.#deliver(event) }))
    return id
  }

  /** Harmless where there is none. */
  remove(id: string): void {
    this.#byId.get(id)?.()
    this.#byId.delete(id)
  }

  end(): void {
    this.#ended.abort()
    for (const unsubscribe of this.#byId.values()) unsubscribe()
    this.#byId.clear()
  }

  /** Whoever publishes waits for nobody. */
  #deliver(event: PluginEvent): void {
    if (this.#tell === undefined) return
    const isFull = this.#waiting >= MAX_WAITING || this.#waitingBytes + event.bytes > MAX_WAITING_BYTES
    if (isFull) this.#drop(event)
    else this.#send(event, this.#tell)
  }

  #send(event: PluginEvent, tell: Tell): void {
    this.#waiting += 1
    this.#waitingBytes += event.bytes
    tell(event, AbortSignal.any([this.#ended.signal, AbortSignal.timeout(DELIVERY_MS)]))
      .catch((error: unknown) => {
        if (!this.#ended.signal.aborted)
          this.#log.warn({ topic: event.topic, reason: messageOf(error) }, 'the plugin did not take an event')
      })
      .finally(() => {
        this.#waiting -= 1
        this.#waitingBytes -= event.bytes
        if (this.#waiting === 0) this.#isDropping = false
      })
  }

  #drop({ topic }: PluginEvent): void {
    if (!this.#isDropping) this.#log.warn({ topic }, 'the plugin takes events too slowly; some are dropped')
    this.#isDropping = true
  }
}
