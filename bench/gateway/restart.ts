/** Measures how soon a restarted Callboard answers its first `tools/list` when it knows twenty servers from before. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HttpConnection } from './http-connection.ts'
import { freePort, serveCommand, writeConfig } from './targets.ts'
import { callHeaders, INITIALIZE, post } from './wire.ts'

/** Server-everything has thirteen tools for a client without capabilities; two hundred fit on the first page of any list. */
const ENOUGH_TOOLS = 200

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })

/** Milliseconds from the start of the process to the answer that lists the tools, once for each restart. */
export async function measureRestarts(servers: number, restarts: number): Promise<readonly number[]> {
  const config = writeConfig(servers, 'all')
  await measureStart(config)
  const times: number[] = []
  for (let i = 0; i < restarts; i += 1) times.push(await measureStart(config))
  return times
}

async function measureStart(config: string): Promise<number> {
  const port = await freePort()
  const [file = '', ...args] = serveCommand(config, port)
  const began = performance.now()
  const child = spawn(file, args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  try {
    const ended = exited.then(() => Promise.reject(new Error('callboard ended before it answered')))
    await Promise.race([listed(new URL(`http://127.0.0.1:${port}/mcp`)), ended])
    return performance.now() - began
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Resolves when a client that keeps trying has been given the tools. */
async function listed(url: URL): Promise<void> {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    if ((await toolsListed(url)) >= ENOUGH_TOOLS) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('the tools were not listed within a minute')
}

async function toolsListed(url: URL): Promise<number> {
  const connection = await HttpConnection.open(url).catch(() => undefined)
  if (connection === undefined) return 0
  const { head } = await connection.send(post(url, {}, INITIALIZE))
  const session = /mcp-session-id: (\S+)/.exec(head)?.[1]
  const { body } = await connection.send(post(url, callHeaders('legacy', '', session), LIST))
  connection.close()
  return body.match(/"inputSchema"/g)?.length ?? 0
}
