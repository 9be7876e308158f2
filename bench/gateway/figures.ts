/** The figures of the gateway benchmark: medians over rounds, and how they read as tables. */

import { table } from '../page.ts'

/** What one round showed of one target. */
export interface Round {
  readonly calls: number
  readonly seconds: number
  /** p50, p95 and p99 in milliseconds. */
  readonly percentiles: readonly number[]
  /** Of the gateway's process, for each call; undefined where it cannot be read. */
  readonly processorMs: number | undefined
  /** Of the gateway's process at the end of the round. */
  readonly residentMb: number | undefined
}

/** Medians over the rounds of one target. */
export interface Figures {
  readonly name: string
  readonly callers: number
  readonly perSecond: number
  /** The same of each round, in order, so that rows can be compared round by round. */
  readonly rates: readonly number[]
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly processorMs: number | undefined
  readonly residentMb: number | undefined
}

export function figuresOf(name: string, callers: number, rounds: readonly Round[]): Figures {
  const rates = rounds.map(({ calls, seconds }) => calls / seconds)
  return {
    name,
    callers,
    perSecond: median(rates) ?? 0,
    rates,
    p50: median(rounds.map(({ percentiles }) => percentiles[0])) ?? 0,
    p95: median(rounds.map(({ percentiles }) => percentiles[1])) ?? 0,
    p99: median(rounds.map(({ percentiles }) => percentiles[2])) ?? 0,
    processorMs: median(rounds.map((round) => round.processorMs)),
    residentMb: median(rounds.map((round) => round.residentMb)),
  }
}

/** The middle one, or the mean of the two in the middle; undefined when there is none. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2
}

const HEAD = ['', 'calls/s', 'p50 ms', 'p95 ms', 'p99 ms', 'processor ms/call', 'memory MB']

export function tableOf(figures: readonly Figures[]): string {
  const rows = figures.map(({ name, perSecond, p50, p95, p99, processorMs, residentMb }) => [
    name,
    perSecond.toFixed(0),
    ...[p50, p95, p99].map((value) => value.toFixed(2)),
    processorMs?.toFixed(3) ?? '',
    residentMb?.toFixed(0) ?? '',
  ])
  return table(HEAD, rows)
}
