/** Callers of `echo`, each of which sends its next call when the last was answered, over HTTP or over a server's stdio. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { HttpConnection } from './http-connection.ts'
import { answeredCall, callHeaders, type Era, echoBody, INITIALIZE, INITIALIZED, isEchoAnswer, post } from './wire.ts'

/** How many calls there were of all callers, so that each has its own number. */
let numbers = 0

/** Sends the n-th call and resolves with its answer. */
type Caller = (n: number) => Promise<string>

/** A set of callers on one target. */
export interface Callers {
  readonly callers: readonly Caller[]
  /** The process whose time counts, where it was started here. */
  readonly pid: number | undefined
  close(): void
}

export interface HttpTarget {
  readonly kind: 'http'
  readonly url: string
  readonly tool: string
  readonly era: Era
  /** Whether calls need a session, which each caller then opens. */
  readonly session: boolean
}

export interface StdioTarget {
  readonly kind: 'stdio'
  readonly command: readonly string[]
  readonly tool: string
}

/** Opens the callers and lets the first one call until it is answered: behind a gateway the server may be starting yet. */
export async function openCallers(target: HttpTarget | StdioTarget, count: number): Promise<Callers> {
  const opened = target.kind === 'http' ? await openHttp(target, count) : await openStdio(target, count)
  const deadline = performance.now() + 20_000
  for (;;) {
    numbers += 1
    const answer = await opened.callers[0]?.(numbers)
    if (answer !== undefined && isEchoAnswer(answer, numbers)) return opened
    if (performance.now() > deadline) throw new Error(`no right answer within 20 s: ${answer}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function openHttp(target: HttpTarget, count: number): Promise<Callers> {
  const url = new URL(target.url)
  const connections: HttpConnection[] = []
  const callers: Caller[] = []
  for (let i = 0; i < count; i += 1) {
    const connection = await HttpConnection.open(url)
    const sessionId = target.session ? await openSession(connection, url) : undefined
    const headers = callHeaders(target.era, target.tool, sessionId)
    connections.push(connection)
    callers.push(async (n) => (await connection.send(post(url, headers, echoBody(n, target.tool, target.era)))).body)
  }
  const close = () => {
    for (const connection of connections) connection.close()
  }
  return { callers, pid: undefined, close }
}

async function openSession(connection: HttpConnection, url: URL): Promise<string> {
  const answer = await connection.send(post(url, {}, INITIALIZE))
  const id = /mcp-session-id: (\S+)/.exec(answer.head)?.[1]
  if (id === undefined) throw new Error(`no session at ${url.href}: ${answer.status} ${answer.body}`)
  await connection.send(post(url, { 'mcp-session-id': id }, INITIALIZED))
  return id
}

async function openStdio(target: StdioTarget, count: number): Promise<Callers> {
  const [command = '', ...args] = target.command
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (line: string) => void>()
  const opened = Promise.withResolvers<void>()
  child.once('error', opened.reject)
  child.once('exit', (code) => opened.reject(new Error(`${command} exited with ${code}`)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"protocolVersion"')) opened.resolve()
    const n = answeredCall(line)
    if (n === undefined) return
    waiting.get(n)?.(line)
    waiting.delete(n)
  })
  child.stdin.write(`${INITIALIZE}\n`)
  await opened.promise
  child.stdin.write(`${INITIALIZED}\n`)
  const call: Caller = (n) =>
    new Promise((resolve) => {
      waiting.set(n, resolve)
      child.stdin.write(`${echoBody(n, target.tool, 'legacy')}\n`)
    })
  // Closing its input is how a stdio server is told to end.
  return { callers: Array.from({ length: count }, () => call), pid: child.pid, close: () => child.stdin.end() }
}

/** Beyond this a call is lost. */
const LOST_MS = 10_000

async function answered(answer: Promise<string>, n: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const lost = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`call ${n} was not answered within ${LOST_MS / 1000} s`)), LOST_MS)
  })
  try {
    return await Promise.race([answer, lost])
  } finally {
    clearTimeout(timer)
  }
}

/** What one stretch of calls showed. */
export interface Stretch {
  readonly calls: number
  readonly seconds: number
  /** Of each call, in milliseconds. */
  readonly latencies: readonly number[]
}

/** Lets every caller call without a pause for `ms`. Throws at the first wrong answer. */
export async function run({ callers }: Callers, ms: number): Promise<Stretch> {
  const latencies: number[] = []
  const began = performance.now()
  await Promise.all(
    callers.map(async (call) => {
      while (performance.now() - began < ms) {
        numbers += 1
        const n = numbers
        const sent = performance.now()
        const answer = await answered(call(n), n)
        latencies.push(performance.now() - sent)
        if (!isEchoAnswer(answer, n)) throw new Error(`a wrong answer: ${answer.slice(0, 400)}`)
      }
    }),
  )
  return { calls: latencies.length, seconds: (performance.now() - began) / 1000, latencies }
}
