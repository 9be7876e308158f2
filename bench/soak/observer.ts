/** Watches a process and its servers from outside while the soak runs. Where there is no /proc it sees nothing. */
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Measured } from '../../test/fixtures/meter.ts'
import { residentMb } from '../gateway/processor-time.ts'

const PAUSE_MS = 500

/** Memory in megabytes, each the median of a quarter of the run. */
export interface MemoryFigures {
  readonly afterWarmUp: number
  readonly atEnd: number
  readonly most: number
}

/** Arguments of Node for a process that `aliveIn` can ask. */
export const METERED: readonly string[] = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('../../test/fixtures/meter.ts', import.meta.url)),
]

/** The megabytes that are alive in the process once the collector has run, on its heap and in buffers; undefined where there are no such signals. */
export function aliveIn(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (process.platform === 'win32') return resolve(undefined)
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const [, json] = /^measured (.*)\n/m.exec(text) ?? []
      if (json === undefined) return
      child.stderr?.off('data', read)
      const { heap, buffers }: Measured = JSON.parse(json)
      resolve(heap + buffers)
    }
    child.stderr?.on('data', read)
    child.kill('SIGUSR2')
  })
}

export class Observer implements Disposable {
  readonly #pid: number
  readonly #marker: string
  readonly #samples: number[] = []
  readonly #timer: NodeJS.Timeout
  /** The most processes of servers that were there at a time. */
  mostProcesses = 0

  /** @param marker stands in the command line of every server, and of nothing else */
  constructor(pid: number, marker: string) {
    this.#pid = pid
    this.#marker = marker
    this.#timer = setInterval(() => this.#look(), PAUSE_MS)
  }

  /** The second quarter of the time, when everything has been used, beside the last; undefined where it could not be seen. */
  memory(): MemoryFigures | undefined {
    const quarter = Math.floor(this.#samples.length / 4)
    if (quarter === 0) return undefined
    return {
      afterWarmUp: median(this.#samples.slice(quarter, 2 * quarter)),
      atEnd: median(this.#samples.slice(-quarter)),
      most: Math.max(...this.#samples),
    }
  }

  /** The ids of the servers that run now. */
  servers(): readonly number[] {
    return processes().filter((pid) => commandOf(pid).includes(this.#marker))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const resident = residentMb(this.#pid)
    if (resident !== undefined) this.#samples.push(resident)
    this.mostProcesses = Math.max(this.mostProcesses, this.servers().length)
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It ended while it was looked at.
    return ''
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
