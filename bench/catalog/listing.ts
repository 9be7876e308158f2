/** Measures what the whole `tools/list` costs the command that serves it: 1,600 tools of 2.4 kB, page after page, over HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HttpConnection } from '../gateway/http-connection.ts'
import { Processes } from '../gateway/processes.ts'
import { processorMs } from '../gateway/processor-time.ts'
import { freePort, serveCommand } from '../gateway/targets.ts'
import { type Era, INITIALIZE, listBody, listHeaders, post } from '../gateway/wire.ts'

const TOOLS = 1600
const TOOL_BYTES = 2400

export interface ListingFigures {
  readonly era: Era
  /** Processor milliseconds of the serving command for one whole list, when it was asked for before; undefined without /proc. */
  readonly processorMs: number | undefined
  /** Milliseconds until the client has it. */
  readonly elapsedMs: number
  readonly megabytes: number
}

const SERVER = fileURLToPath(new URL('many-tools-server.ts', import.meta.url))

/** @param rounds whole lists that are measured in each era, after a tenth as many that warm up */
export async function listingFigures(rounds: number): Promise<readonly ListingFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  try {
    await using processes = new Processes()
    const config = join(folder, 'callboard.yaml')
    const server = { command: process.execPath, args: [SERVER, String(TOOLS), String(TOOL_BYTES)] }
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ expose: 'all', dataDir: folder, mcpServers: { many: server } }))
    const port = await freePort()
    const { pid } = await processes.startServer(serveCommand(config, port), port, {})
    const url = new URL(`http://127.0.0.1:${port}/mcp`)
    return [await measure(url, pid, 'legacy', rounds), await measure(url, pid, 'modern', rounds)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(url: URL, pid: number, era: Era, rounds: number): Promise<ListingFigures> {
  const connection = await HttpConnection.open(url)
  const opened = era === 'legacy' ? await connection.send(post(url, {}, INITIALIZE)) : undefined
  const session = opened && /mcp-session-id: (\S+)/.exec(opened.head)?.[1]
  const list = (): Promise<Listed> => wholeList(connection, url, listHeaders(era, session), era)
  while ((await list()).tools < TOOLS) await new Promise((resolve) => setTimeout(resolve, 50))
  for (let i = 0; i < rounds / 10; i++) await list()
  const [start, busy] = [performance.now(), processorMs(pid)]
  let bytes = 0
  for (let i = 0; i < rounds; i++) bytes += (await list()).bytes
  const [end, after] = [performance.now(), processorMs(pid)]
  connection.close()
  return {
    era,
    processorMs: busy === undefined || after === undefined ? undefined : (after - busy) / rounds,
    elapsedMs: (end - start) / rounds,
    megabytes: bytes / rounds / 1e6,
  }
}

interface Listed {
  readonly tools: number
  readonly bytes: number
}

async function wholeList(
  connection: HttpConnection,
  url: URL,
  headers: Readonly<Record<string, string>>,
  era: Era,
): Promise<Listed> {
  let [tools, bytes] = [0, 0]
  let cursor: string | undefined
  do {
    const { body } = await connection.send(post(url, headers, listBody(era, cursor)))
    bytes += body.length
    tools += body.split('"inputSchema"').length - 1
    cursor =
      /"nextCursor":"([^"]+)"/.exec(body.slice(-1000))?.[1] ?? /"nextCursor":"([^"]+)"/.exec(body.slice(0, 1000))?.[1]
  } while (cursor !== undefined)
  return { tools, bytes }
}
