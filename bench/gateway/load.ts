/** The load generator: a process of its own, so that it shares no event loop with what is measured; takes orders over IPC. */
import { type Callers, type HttpTarget, openCallers, run, type StdioTarget } from './callers.ts'

export type Order =
  | { readonly kind: 'open'; readonly key: string; readonly target: HttpTarget | StdioTarget; readonly callers: number }
  | { readonly kind: 'run'; readonly key: string; readonly ms: number }
  | { readonly kind: 'close' }

/** What came of an order. */
export type Report =
  | { readonly kind: 'opened'; readonly pid: number | undefined }
  | { readonly kind: 'ran'; readonly calls: number; readonly seconds: number; readonly percentiles: readonly number[] }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string }

/** The percentiles of a `ran` report, in this order; the last is the longest call. */
export const PERCENTILES: readonly number[] = [50, 95, 99, 100]

const opened = new Map<string, Callers>()

async function carryOut(order: Order): Promise<Report> {
  if (order.kind === 'open') {
    const callers = await openCallers(order.target, order.callers)
    opened.set(order.key, callers)
    return { kind: 'opened', pid: callers.pid }
  }
  if (order.kind === 'close') {
    for (const callers of opened.values()) callers.close()
    return { kind: 'closed' }
  }
  const callers = opened.get(order.key)
  if (callers === undefined) throw new Error(`nothing is open under ${order.key}`)
  const { calls, seconds, latencies } = await run(callers, order.ms)
  const sorted = latencies.toSorted((a, b) => a - b)
  const percentiles = PERCENTILES.map((p) => sorted[Math.floor((sorted.length - 1) * (p / 100))] ?? Number.NaN)
  return { kind: 'ran', calls, seconds, percentiles }
}

if (process.send !== undefined) {
  const send = process.send.bind(process)
  process.on('message', (order: Order) => {
    const failed = (error: unknown) =>
      send({ kind: 'failed', message: `${JSON.stringify(order)}: ${error}` } satisfies Report)
    carryOut(order).then(send, failed)
  })
}
