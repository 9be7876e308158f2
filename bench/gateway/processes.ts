/** Starts and ends the processes of the gateway benchmark: the load generator and everything that is measured. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Announcement } from './announce.ts'
import type { Order, Report } from './load.ts'

/** A server under test. */
export interface Running {
  readonly port: number
  readonly pid: number
}

/** Everything that was started, so that it can be ended together. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = []

  /** Starts a proxy of this folder, which says over IPC where it listens. */
  async startProxy(file: string, args: readonly string[]): Promise<Running> {
    const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#children.push(child)
    const [announcement]: Announcement[] = await once(child, 'message')
    if (announcement === undefined) throw new Error(`${file} did not say where it listens`)
    return { port: announcement.port, pid: pidOf(child) }
  }

  /** Starts a server that listens on `port` by itself, and resolves when it answers there. */
  async startServer(command: readonly string[], port: number, env: Readonly<Record<string, string>>): Promise<Running> {
    const [file = '', ...args] = command
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, ...env } })
    this.#children.push(child)
    await answering(port, child)
    return { port, pid: pidOf(child) }
  }

  /** Starts the load generator and returns the way to give it orders. */
  startLoad(): (order: Order) => Promise<Report> {
    const child = fork(new URL('load.ts', import.meta.url))
    this.#children.push(child)
    return async (order) => {
      child.send(order)
      const [report]: Report[] = await once(child, 'message')
      if (report === undefined) throw new Error('the load generator said nothing')
      if (report.kind === 'failed') throw new Error(`the load generator failed: ${report.message}`)
      return report
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#children.filter((child) => child.exitCode === null && child.signalCode === null)
    const exits = running.map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(exits)
  }
}

/** Resolves when something answers HTTP on the port; rejects when the process ends before. */
async function answering(port: number, child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server exited with ${code}`)))
  const answered = (async () => {
    const deadline = performance.now() + 30_000
    while (performance.now() < deadline) {
      const up = await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
      if (up) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`nothing answered on port ${port} within 30 s`)
  })()
  await Promise.race([answered, exited])
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process did not start')
  return child.pid
}
