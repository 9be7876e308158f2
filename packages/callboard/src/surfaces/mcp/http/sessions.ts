/**
 * The sessions of old clients: each with its own server, found only by the caller who opened it, and bounded in number
 * and age.
 */
import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import { nameOf } from '../../../gate/acting-user.ts'
import { type Caller, SHUT_OUT } from './caller.ts'
import type { HttpContext } from './context.ts'
import { EventMemory } from './event-memory.ts'
import type { ServerContext } from './server-context.ts'
import { SessionTransport } from './session-transport.ts'
import { SharedTurns } from './shared-turns.ts'

export interface Session {
  readonly id: string
  readonly caller: Caller
  readonly server: Server
  readonly transport: SessionTransport
}

/** How often idle sessions are looked for, at most. */
const SWEEP_MS = 60_000

export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #context: HttpContext
  readonly #events: EventMemory
  readonly #turns = new SharedTurns()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(context: HttpContext) {
    this.#context = context
    const { sessionIdleMs, resumableMs, resumeBytes, resumeSessionBytes } = context.limits
    this.#events = new EventMemory(resumeBytes, resumeSessionBytes)
    this.#timers = [
      setInterval(() => this.#sweep(), Math.min(SWEEP_MS, sessionIdleMs)),
      setInterval(() => this.#tick(), resumableMs),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Opens a session for the caller; undefined when there are as many as may be and none of them is idle. */
  async open(caller: Caller): Promise<Session | undefined> {
    if (!this.#makeRoom()) return undefined
    const { createServer, toolCalls, limits, readers, log } = this.#context
    const context: ServerContext = { caller, era: 'legacy', settings: {} }
    const events = this.#events.forSession()
    const transport = new SessionTransport(randomUUID(), {
      server: context,
      toolCalls,
      turns: this.#turns,
      events,
      limits,
      readers,
      log,
    })
    const server = createServer(context)
    const session = { id: transport.sessionId, caller, server, transport }
    this.#sessions.set(session.id, session)
    // Whatever ends it, the server itself or one of the ways below, it is no longer found.
    transport.onclose = () => this.#sessions.delete(session.id)
    await session.server.connect(transport)
    return session
  }

  /** The session of that id, if it is this caller's. */
  find(id: string, caller: Caller): Session | undefined {
    const session = this.#sessions.get(id)
    return session?.caller.id === caller.id ? session : undefined
  }

  /** Lets everything that is open in them give a sign of life. */
  beat(): void {
    for (const { transport } of this.#sessions.values()) transport.beat()
  }

  /** Ends those of these callers. */
  async shutOut(isMeant: (caller: Caller) => boolean): Promise<void> {
    const meant = [...this.#sessions.values()].filter(({ caller }) => isMeant(caller))
    await Promise.all(meant.map(({ transport }) => transport.close(SHUT_OUT)))
  }

  /** Ends every session. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([...this.#sessions.values()].map((session) => session.transport.close()))
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < this.#context.limits.sessions) return true
    let oldest: Session | undefined
    let since = Number.POSITIVE_INFINITY
    for (const session of this.#sessions.values()) {
      const idleSince = session.transport.idleSince
      if (idleSince === undefined || idleSince >= since) continue
      oldest = session
      since = idleSince
    }
    if (oldest === undefined) return false
    this.#end(oldest, 'made room for another session')
    return true
  }

  #tick(): void {
    for (const { transport } of this.#sessions.values()) transport.tick()
  }

  #sweep(): void {
    const before = performance.now() - this.#context.limits.sessionIdleMs
    for (const session of this.#sessions.values()) {
      const idleSince = session.transport.idleSince
      if (idleSince !== undefined && idleSince <= before) this.#end(session, 'was idle for too long')
    }
  }

  #end(session: Session, why: string): void {
    this.#context.log.debug({ session: session.id, user: nameOf(session.caller.user) }, `session ended: it ${why}`)
    session.transport
      .close()
      .catch((error: unknown) => this.#context.log.warn({ err: error }, 'a session did not end cleanly'))
  }
}
