/** Says what the soak found: the table for the page, and what is not as it should be. */
import { machine, table } from '../page.ts'
import type { SoakReport } from './run-soak.ts'

/** Memory may grow by this part after the warm-up, or by so many megabytes where that is more: the heap breathes. */
const MAY_GROW = 0.2
const MAY_GROW_MB = 40
/** What is alive breathes less. */
const ALIVE_MAY_GROW_MB = 8

const number = (value: number): string => value.toLocaleString('en-US')
const mb = (value: number): string => `${value.toFixed(0)} MB`

/** The figures, as Markdown. */
export function soakPage(report: SoakReport, what: 'server' | 'plugin'): string {
  const { tally, memory, alive } = report
  const seen = (value: number | undefined): string => (value === undefined ? 'not seen' : mb(value))
  const rows: readonly (readonly [string, string])[] = [
    ['minutes', String(report.minutes)],
    ['visits of clients, by turns of either era', number(tally.count('visits'))],
    ['sessions left without a word, besides 1,000 at the start', number(tally.count('left without a word'))],
    ['calls', number(tally.calls)],
    ['answered', number(tally.ended('answered'))],
    ['cancelled by the client', number(tally.ended('cancelled'))],
    [`failed in words: the ${what} is or went down`, number(tally.ended('failed'))],
    ['failed in words: no answer within 3 s', number(tally.ended('timed out'))],
    ['connections broken off during a call', number(tally.count('connections broken off'))],
    ['streams gone on with elsewhere', number(tally.count('streams resumed'))],
    ['answers that nobody came back for', number(tally.ended('left'))],
    [`steady ${what}s, calls without work: p50`, `${tally.waitAt(0.5).toFixed(1)} ms`],
    [`steady ${what}s, calls without work: p99`, `${tally.waitAt(0.99).toFixed(1)} ms`],
    ['answers lost', number(tally.lost)],
    ['answers given twice', number(tally.doubled)],
    ['calls run twice', number(report.ranTwice)],
    [`${what}s started anew`, number(report.restarts)],
    [`most processes of ${what}s at a time`, `${report.mostProcesses} of ${report.serverProcesses}`],
    ['processes left at the end', number(report.orphans)],
    ['memory after the warm-up', seen(memory?.afterWarmUp)],
    ['memory at the end', seen(memory?.atEnd)],
    ['memory at most', seen(memory?.most)],
    ['alive of it after the warm-up', seen(alive?.[0])],
    ['alive of it at the end', seen(alive?.[1])],
  ]
  return [`Measured on ${machine()}.`, table(['', ''], rows)].join('\n\n')
}

/** One sentence for each thing that is wrong; empty when all is as it should be. */
export function soakFaults(report: SoakReport): string[] {
  const { tally, memory, alive } = report
  const faults = [...tally.wrong]
  const must = (holds: boolean, words: string): void => {
    if (!holds) faults.push(words)
  }
  must(tally.calls > 0 && tally.ended('answered') > tally.calls / 2, 'fewer than half of the calls were answered')
  must(tally.wrong.length > 0 || tally.ends === tally.calls, `${tally.calls - tally.ends} calls came to no end`)
  must(tally.count('streams resumed') > 0, 'no stream was resumed')
  must(report.restarts > 0, 'no server was started anew, so none has crashed')
  must(report.ranTwice === 0, `${report.ranTwice} calls were run twice`)
  must(report.orphans === 0, `${report.orphans} processes of servers were left at the end`)
  must(report.exitCode === 0, `callboard ended with ${report.exitCode}`)
  if (memory !== undefined) {
    const most = memory.afterWarmUp + Math.max(memory.afterWarmUp * MAY_GROW, MAY_GROW_MB)
    must(memory.atEnd <= most, `memory grew from ${mb(memory.afterWarmUp)} to ${mb(memory.atEnd)}`)
  }
  if (alive !== undefined) {
    const [before, after] = alive
    must(after <= before + ALIVE_MAY_GROW_MB, `what is alive in memory grew from ${mb(before)} to ${mb(after)}`)
  }
  return faults
}
