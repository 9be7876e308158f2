/** Runs the real command as a child process, for tests from the outside. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const COMMAND = join(import.meta.dirname, '../../packages/callboard/bin/callboard.js')

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

/** A folder of its own with a config, and whatever serves it. */
export interface Site extends AsyncDisposable {
  readonly dir: string
  /** The arguments of the command that serve this config over stdio. */
  readonly stdio: readonly string[]
  /** The arguments of another command with this config. */
  command(words: readonly string[]): readonly string[]
  /** Serves it over HTTP, with these options besides; resolves when the address is open. */
  serve(...options: readonly string[]): Promise<Serving>
}

/** A running `callboard serve`. */
export interface Serving {
  readonly url: string
  readonly child: ChildProcess
  /** All that it printed so far. */
  printed(): string
  /** Resolves as soon as it has printed the text. */
  prints(text: string | RegExp): Promise<void>
  /** Ends it as Ctrl-C does and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Makes a config of these plugins, in a folder that is removed with it. What serves it is run with `node`'s own arguments. */
export function createSite(
  plugins: Readonly<Record<string, unknown>>,
  more: object = {},
  node: readonly string[] = [],
): Site {
  const dir = mkdtempSync(join(tmpdir(), 'callboard-gateway-'))
  const file = join(dir, 'callboard.yaml')
  writeFileSync(file, JSON.stringify({ dataDir: 'data', http: { listen: '127.0.0.1:0' }, plugins, ...more }))
  const running: Serving[] = []
  return {
    dir,
    stdio: [COMMAND, 'serve', '--stdio', '--config', file],
    command: (words) => [COMMAND, ...words, '--config', file],
    async serve(...options) {
      const serving = await startServing([...node, COMMAND, 'serve', '--http', '--config', file, ...options])
      running.push(serving)
      return serving
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((serving) => serving.stop()))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startServing(args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const waiting = new Set<() => void>()
  const take = (chunk: Buffer): void => {
    printed += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const exited = once(child, 'exit')
  const prints = (text: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (typeof text === 'string' ? !printed.includes(text) : !text.test(printed)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      void exited.then(() => reject(new Error(`the command ended without printing ${text}:\n${printed}`)))
      look()
    })
  await prints(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0] ?? ''
  return {
    url,
    child,
    printed: () => printed,
    prints,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
      await exited
      return child.exitCode
    },
  }
}

/** An SDK client of this era, connected over HTTP, or over stdio to a process of its own. */
export async function connect(
  era: Era,
  to: { readonly url: string } | { readonly stdio: readonly string[] },
): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport =
    'url' in to
      ? new StreamableHTTPClientTransport(new URL(to.url))
      : new StdioClientTransport({ command: process.execPath, args: [...to.stdio], stderr: 'ignore' })
  await client.connect(transport)
  return client
}

/** The text of a tool's answer. */
export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] }
  return content.map(({ text }) => text ?? '').join('\n')
}
