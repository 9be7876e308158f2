/** Starts everything that the gateway benchmark compares, all in front of the same stdio server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AuditSwitch } from './audit-switch.ts'
import type { HttpTarget, StdioTarget } from './callers.ts'
import type { Processes, Running } from './processes.ts'
import type { Era } from './wire.ts'

/** One row of the tables. */
export interface Target {
  readonly name: string
  readonly target: HttpTarget | StdioTarget
  /** The process whose time and memory count; undefined where the load generator starts it. */
  readonly pid: number | undefined
  /** Makes it what its name says, before each round; `call` makes a few calls. */
  readonly prepare?: (call: () => Promise<unknown>) => Promise<void>
}

export const OWN = 'the server’s own HTTP'
export const MINIMAL = 'minimal proxy'
export const FLOOR = 'floor: by hand, no SDK'
export const CALLBOARD = 'Callboard'
export const UNAUDITED = 'Callboard without its audit'
export const STDIO_DIRECT = 'the server itself, stdio'
export const STDIO_CALLBOARD = 'Callboard, stdio'

/** How a row of the modern era is told from its legacy sister. */
export const modern = (name: string): string => `${name}, 2026-07-28`

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)
/** The command. */
export const callboard: string = fileURLToPath(new URL('../../packages/callboard/bin/callboard.js', import.meta.url))

/** The command of the stdio server behind every gateway. */
const UPSTREAM: readonly string[] = [process.execPath, everything, 'stdio']

export async function startTargets(processes: Processes): Promise<readonly Target[]> {
  const ownPort = await freePort()
  const own = await processes.startServer([process.execPath, everything, 'streamableHttp'], ownPort, {
    PORT: String(ownPort),
  })
  const minimal = await processes.startProxy('minimal-proxy.ts', UPSTREAM)
  const floor = await processes.startProxy('floor-proxy.ts', UPSTREAM)
  const product = await startProduct(processes)
  return [
    http(OWN, own, { tool: 'echo', era: 'legacy', session: true }),
    http(MINIMAL, minimal, { tool: 'echo', era: 'legacy', session: false }),
    http(modern(MINIMAL), minimal, { tool: 'echo', era: 'modern', session: false }),
    http(FLOOR, floor, { tool: 'echo', era: 'legacy', session: false }),
    ...product,
    stdio(STDIO_DIRECT, UPSTREAM, 'echo'),
    stdio(
      STDIO_CALLBOARD,
      [process.execPath, callboard, 'serve', '--config', writeConfig(1, 'catalog'), '--stdio'],
      OF_PRODUCT.tool,
    ),
  ]
}

/** What it takes to see what the audit costs, and nothing else. */
export async function startAuditTargets(processes: Processes): Promise<readonly Target[]> {
  return startProduct(processes)
}

const OF_PRODUCT: Way = { tool: 'everything_echo', era: 'legacy', session: true }

/** Callboard over HTTP, in both eras, with its audit and without: one process, since two differ by more than that. */
async function startProduct(processes: Processes): Promise<readonly Target[]> {
  const port = await freePort()
  const config = writeConfig(1, 'catalog')
  const product = await processes.startServer(serveCommand(config, port), port, {})
  const audit = new AuditSwitch(config)
  const rows = (name: string, isAudited: boolean): readonly Target[] => {
    const prepare: Target['prepare'] = (call) => audit.turn(isAudited, call)
    return [
      { ...http(name, product, OF_PRODUCT), prepare },
      { ...http(modern(name), product, { ...OF_PRODUCT, era: 'modern', session: false }), prepare },
    ]
  }
  return [...rows(CALLBOARD, true), ...rows(UNAUDITED, false)]
}

/** The command that serves this config over HTTP on this port. */
export function serveCommand(config: string, port: number): readonly string[] {
  return [process.execPath, callboard, 'serve', '--config', config, '--http', `127.0.0.1:${port}`]
}

/** Writes a config with so many of the server, in a folder of its own that keeps its data too, until this process ends. */
export function writeConfig(servers: number, expose: 'catalog' | 'all'): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const [command, ...args] = UPSTREAM
  const names = Array.from({ length: servers }, (_, i) => (i === 0 ? 'everything' : `everything${i + 1}`))
  const file = join(folder, 'callboard.yaml')
  // JSON is YAML.
  const config = {
    expose,
    dataDir: folder,
    mcpServers: Object.fromEntries(names.map((name) => [name, { command, args }])),
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

interface Way {
  readonly tool: string
  readonly era: Era
  readonly session: boolean
}

function http(name: string, { port, pid }: Running, way: Way): Target {
  return { name, pid, target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, ...way } }
}

function stdio(name: string, command: readonly string[], tool: string): Target {
  return { name, pid: undefined, target: { kind: 'stdio', command, tool } }
}
