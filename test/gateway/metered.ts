/** The real command with a meter, for tests of what it costs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Measured } from '../fixtures/meter.ts'
import type { Site } from './callboard.ts'

const METER = fileURLToPath(new URL('../fixtures/meter.ts', import.meta.url))

/** A running `callboard serve` over one of its surfaces. */
export class Metered implements AsyncDisposable {
  readonly child: ChildProcess
  /** What it says on stderr, line by line. */
  readonly words: Interface

  constructor(site: Site, way: '--http' | '--stdio') {
    const args = site.stdio.map((word) => (word === '--stdio' ? way : word))
    const node = ['--expose-gc', '--import', METER]
    this.child = spawn(process.execPath, [...node, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    if (this.child.stderr === null) throw new Error('no stderr')
    this.words = createInterface({ input: this.child.stderr })
  }

  /** The address, once it is open. */
  async url(): Promise<string> {
    for (let printed = ''; ; ) {
      const [chunk] = await once(this.child.stdout ?? this.child, 'data')
      printed += String(chunk)
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed) ?? []
      if (url !== undefined) return url
    }
  }

  /** What was measured since the last time. */
  async measured(): Promise<Measured> {
    const measured = Promise.withResolvers<Measured>()
    const take = (line: string): void => {
      if (line.startsWith('measured ')) measured.resolve(JSON.parse(line.slice('measured '.length)))
    }
    this.words.on('line', take)
    this.child.kill('SIGUSR2')
    try {
      return await measured.promise
    } finally {
      this.words.off('line', take)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await exited
  }
}
