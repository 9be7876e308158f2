/** The stdio MCP server behind the hand-written proxy of the benchmark: requests out, answers back, by a number of our own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { INITIALIZE, INITIALIZED } from './wire.ts'

interface RpcAnswer {
  readonly id?: number
  readonly result?: unknown
  readonly error?: unknown
}

export class StdioPeer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting = new Map<number, (answer: RpcAnswer) => void>()
  #numbers = 1

  private constructor(command: readonly string[]) {
    const [file = '', ...args] = command
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const answer: RpcAnswer = JSON.parse(line)
      if (answer.id === undefined) return
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  static async start(command: readonly string[]): Promise<StdioPeer> {
    const peer = new StdioPeer(command)
    await new Promise((resolve) => {
      peer.#waiting.set(1, resolve)
      peer.#child.stdin.write(`${INITIALIZE}\n`)
    })
    peer.#child.stdin.write(`${INITIALIZED}\n`)
    return peer
  }

  request(method: string, params: unknown): Promise<RpcAnswer> {
    this.#numbers += 1
    const id = this.#numbers
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }
}
