/** What `callboard serve` tells while it runs: plain lines for people, or one JSON object a line. */

import type { HttpConfig } from '../../config/config.ts'
import type { ConfigChange } from '../../config/config-change.ts'
import type { PluginStatus, Reconfiguration } from '../../host.ts'
import type { CallRecord } from '../../invoke/call-record.ts'
import { isServing } from '../../plugins/is-serving.ts'
import { changeLines } from './change-lines.ts'
import { connectLines } from './connect-lines.ts'
import { oneLine } from './output/plain-text.ts'
import type { Output } from './output/terminal.ts'

export interface ServeReport {
  /** A plugin as it is now; told again only when something about it is different. */
  plugin(status: PluginStatus): void
  /** The address, and how clients connect to it. */
  listening(url: string, auth: HttpConfig['auth']): void
  call(record: CallRecord): void
  /**
   * All that a person should know of the config, names and schemas; a sentence is told again only after it was no
   * longer so.
   */
  findings(texts: readonly string[]): void
  /** What became of a config that was changed meanwhile. */
  reconfigured(reconfiguration: Reconfiguration): void
  stopping(): void
}

/** Where and how it is told. */
export interface ServeReportOptions {
  readonly output: Output
  readonly json: boolean
  readonly redact: (text: string) => string
  /** The longest plugin id, for aligned lines. */
  readonly idWidth: () => number
}

/** How much may wait for a reader who does not read, in bytes; calls beyond it are not told. */
const MOST_WAITING = 1024 * 1024

const STYLES = {
  up: 'green',
  degraded: 'yellow',
  starting: 'dim',
  stopped: 'dim',
  disabled: 'dim',
  down: 'yellow',
  failed: 'red',
} as const

/** In these it says why. */
const TROUBLED: ReadonlySet<PluginStatus['state']> = new Set(['degraded', 'down', 'failed'])

function pluginLine({ output, idWidth }: ServeReportOptions, { id, state, tools, reason }: PluginStatus): string {
  const count = isServing(state) || tools > 0 ? `, ${tools} ${tools === 1 ? 'tool' : 'tools'}` : ''
  const known = isServing(state) || tools === 0 ? '' : ' known'
  const why = reason === undefined || !TROUBLED.has(state) ? '' : `: ${oneLine(reason)}`
  return `${oneLine(id).padEnd(idWidth())}  ${output.style(STYLES[state], state)}${count}${known}${why}`
}

function callLine(output: Output, { time: began, user, surface, tool, outcome, durationMs }: CallRecord): string {
  const time = clockTime(began)
  const result = outcome === 'ok' ? outcome : output.style('red', outcome)
  return `${time}  ${oneLine(user)}  ${surface}  ${oneLine(tool)}  ${result}  ${Math.round(durationMs)} ms`
}

const clock = { second: Number.NaN, text: '' }

/** The time of day; written anew for each second and not for each of the calls in it. */
function clockTime(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== clock.second) {
    clock.second = second
    clock.text = new Date(ms).toTimeString().slice(0, 'hh:mm:ss'.length)
  }
  return clock.text
}

function callEvent(record: CallRecord): string {
  return JSON.stringify({ event: 'call', ...record, time: new Date(record.time).toISOString() })
}

function listeningLines(url: string, auth: HttpConfig['auth']): string {
  const lines = connectLines(url, auth).map(([client, line]) => `  ${client.padEnd(12)} ${line}`)
  return ['', `Serving MCP at ${url}`, '', ...lines, ''].join('\n')
}

/** Whoever does not read loses calls, and is told how many. */
class ReportLines {
  readonly #options: ServeReportOptions
  // Calls may come by the thousand: those of one turn of the event loop are written together.
  #waiting = ''
  #untold = 0

  constructor(options: ServeReportOptions) {
    this.#options = options
  }

  /** Writes a line at once, after those that wait. */
  write(line: string, event: Readonly<Record<string, unknown>>): void {
    const { output, json, redact } = this.#options
    this.#flush()
    output.write(`${redact(json ? JSON.stringify(event) : line)}\n`)
  }

  /** Writes a line with the others of this turn of the event loop; leaves it out, unmade, where there is no room. */
  add(make: () => string): void {
    const isFirst = this.#waiting === ''
    if (!this.#hasRoom()) return
    if (isFirst) setImmediate(() => this.#flush())
    this.#waiting += `${make()}\n`
  }

  #flush(): void {
    const { output, redact } = this.#options
    if (this.#waiting !== '') output.write(redact(this.#waiting))
    this.#waiting = ''
  }

  /** Whether there is room for a line; the first one after a gap is preceded by a word about it. */
  #hasRoom(): boolean {
    const { output, json } = this.#options
    if (output.waiting > MOST_WAITING) {
      this.#untold += 1
      return false
    }
    const message = `${this.#untold} lines were left out, because nobody read them`
    if (this.#untold > 0)
      this.#waiting += `${json ? JSON.stringify({ event: 'finding', message }) : `note: ${message}`}\n`
    this.#untold = 0
    return true
  }
}

/** Which states of plugins are news. */
class PluginNews {
  /** The last line of each plugin. */
  readonly #told = new Map<string, string>()
  readonly #isUp = new Set<string>()

  /** Whether the line is to be told, which is so once. */
  take({ id, state }: PluginStatus, line: string): boolean {
    // Attempts to restart what is down are no news until one of them ends otherwise.
    if (state === 'starting' && this.#told.has(id) && !this.#isUp.has(id)) return false
    if (isServing(state)) this.#isUp.add(id)
    else this.#isUp.delete(id)
    if (this.#told.get(id) === line) return false
    this.#told.set(id, line)
    return true
  }

  /** What begins anew is news again. */
  forget({ added, removed, restarted }: ConfigChange): void {
    for (const id of [...added, ...removed, ...restarted]) {
      this.#told.delete(id)
      this.#isUp.delete(id)
    }
  }
}

export function createServeReport(options: ServeReportOptions): ServeReport {
  const { output, json } = options
  const lines = new ReportLines(options)
  const news = new PluginNews()
  let findings: ReadonlySet<string> = new Set()
  return {
    plugin: (status) => {
      const line = pluginLine(options, status)
      if (!news.take(status, line)) return
      lines.write(line, { event: 'plugin', ...status, since: new Date(status.since).toISOString() })
    },
    listening: (url, auth) => lines.write(listeningLines(url, auth), { event: 'listening', url }),
    call: (record) => lines.add(() => (json ? callEvent(record) : callLine(output, record))),
    findings: (texts) => {
      const fresh = texts.filter((text) => !findings.has(text))
      findings = new Set(texts)
      for (const text of fresh) lines.write(`note: ${oneLine(text)}`, { event: 'finding', message: text })
    },
    reconfigured: (reconfiguration) => {
      if (reconfiguration.outcome === 'applied') news.forget(reconfiguration.change)
      lines.write(changeLines(reconfiguration), { event: 'config', ...reconfiguration })
      findings = new Set([...findings, ...reconfiguration.reports])
    },
    stopping: () => lines.write('stopping', { event: 'stopping' }),
  }
}
