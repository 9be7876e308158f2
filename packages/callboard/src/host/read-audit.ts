/** Reads the audit: the rows that fit, oldest first, and those to come. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AuditPiece, AuditPlace, AuditRow, AuditStore } from '../store/audit-store.ts'

/** How often it is looked whether more rows have come. */
const LOOK_MS = 250

/** Which rows are wanted: what is given must be so exactly. */
export interface AuditQuery {
  readonly user?: string
  readonly surface?: string
  /** A namespaced name. */
  readonly tool?: string
  readonly plugin?: string
  readonly outcome?: string
  /** Only calls that ended at this time or later, in milliseconds since the epoch. */
  readonly since?: number
  /** The last so many; all when absent. */
  readonly limit?: number
  /** Goes on with the rows to come, until the signal is aborted. */
  readonly follow?: boolean
  readonly signal: AbortSignal
}

/** Some rows that follow one another. */
export interface AuditBatch {
  readonly rows: readonly AuditRow[]
  /** Where these are, how many lines could not be read as rows. */
  readonly unreadable: number
}

/**
 * In batches of a bounded size where no limit was given. Other work of the process comes in between. Throws
 * `CallboardError` (`internal`) when the store can't be read, and the reason of the signal, but for following, which
 * that ends.
 */
export async function* readAudit(store: AuditStore, query: AuditQuery): AsyncGenerator<AuditBatch> {
  const { limit, follow, signal } = query
  let end: AuditPlace | undefined
  if (limit === undefined) {
    for (let piece = await store.after(); piece !== undefined; piece = await store.after(end)) {
      signal.throwIfAborted()
      end = piece.end
      yield fitting(piece, query)
    }
  } else {
    const newest = await store.before()
    end = newest?.end
    yield await latest(store, newest, limit, query)
  }
  if (follow === true) yield* following(store, end, query)
}

async function* following(
  store: AuditStore,
  place: AuditPlace | undefined,
  query: AuditQuery,
): AsyncGenerator<AuditBatch> {
  const { signal } = query
  const follower = store.follow(place)
  try {
    while (!signal.aborted) {
      const piece = await follower.next()
      if (piece === undefined) await untilLater(signal)
      else yield fitting(piece, query)
    }
  } finally {
    await follower[Symbol.asyncDispose]()
  }
}

async function latest(
  store: AuditStore,
  newest: AuditPiece | undefined,
  limit: number,
  query: AuditQuery,
): Promise<AuditBatch> {
  let rows: readonly AuditRow[] = []
  let unreadable = 0
  for (let piece = newest; piece !== undefined; piece = await store.before(piece.start)) {
    query.signal.throwIfAborted()
    const found = fitting(piece, query)
    rows = [...found.rows, ...rows]
    unreadable += found.unreadable
    if (rows.length >= limit || piece.rows.every((row) => !isRecent(row, query))) break
  }
  return { rows: limit === 0 ? [] : rows.slice(-limit), unreadable }
}

function fitting({ rows, unreadable }: AuditPiece, query: AuditQuery): AuditBatch {
  const { user, surface, tool, plugin, outcome } = query
  const fits = (row: AuditRow): boolean =>
    (user === undefined || row.user === user) &&
    (surface === undefined || row.surface === surface) &&
    (tool === undefined || row.tool === tool) &&
    (plugin === undefined || row.plugin === plugin) &&
    (outcome === undefined || row.outcome === outcome) &&
    isRecent(row, query)
  return { rows: rows.filter(fits), unreadable }
}

function isRecent({ time, durationMs }: AuditRow, { since = 0 }: AuditQuery): boolean {
  return time + durationMs >= since
}

async function untilLater(signal: AbortSignal): Promise<void> {
  await delay(LOOK_MS, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
