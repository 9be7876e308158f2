/**
 * Remembers how to greet a server that does not take the usual greeting, so that it is not started twice every time.
 */
import { isObject } from '../../is-object.ts'
import type { JsonObject } from './messages.ts'

/**
 * `auto` asks with `server/discover` and, on any other answer, goes on with `initialize` on the same connection.
 * `legacy` begins with `initialize`; `modern` takes nothing but an answer to `server/discover`. `sse` begins with
 * `initialize` over HTTP+SSE, which is older than the modern era.
 */
export type Greeting = 'auto' | UnusualGreeting

type UnusualGreeting = (typeof UNUSUAL)[number]

const UNUSUAL = ['legacy', 'modern', 'sse'] as const

/** After this long the usual greeting is tried again: servers get updated. */
const KEPT_MS = 7 * 24 * 3_600_000

/**
 * Nearly every server answers the usual greeting, one way or the other, and nothing is remembered of it. The others end
 * when they meet a request before `initialize`, leave it unanswered, were still loading when its time was up, or speak
 * HTTP+SSE.
 */
export class EraMemory {
  #greeting: UnusualGreeting | undefined
  #learnedAt = 0

  /** `hints` is what {@link hints} gave in an earlier run. */
  constructor(hints: Readonly<Record<string, unknown>> | undefined) {
    const era = isObject(hints?.era) ? hints.era : {}
    const greeting = UNUSUAL.find((known) => known === era.greeting)
    if (greeting === undefined || typeof era.learnedAt !== 'number') return
    this.#greeting = greeting
    this.#learnedAt = era.learnedAt
  }

  /** The greeting to begin with. */
  get first(): Greeting {
    return this.#greeting !== undefined && Date.now() - this.#learnedAt < KEPT_MS ? this.#greeting : 'auto'
  }

  /** This greeting is the right one. */
  learn(greeting: UnusualGreeting): void {
    this.#greeting = greeting
    this.#learnedAt = Date.now()
  }

  /** The usual greeting does. */
  forget(): void {
    this.#greeting = undefined
  }

  /** What to keep for the next run; undefined when there is nothing. */
  get hints(): JsonObject | undefined {
    return this.#greeting && { era: { greeting: this.#greeting, learnedAt: this.#learnedAt } }
  }
}
