/** Programs that people put between themselves and an MCP server, run as they are published. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { createSite, type Site, textOf } from '../gateway/callboard.ts'

const scripts: Readonly<Record<'inspector' | 'mcp-remote' | 'supergateway', URL>> = {
  inspector: new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
  'mcp-remote': new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url),
  supergateway: new URL('../../node_modules/supergateway/dist/index.js', import.meta.url),
}

/** How one of them is started; what follows are its own arguments. */
export function programArgs(name: keyof typeof scripts): readonly string[] {
  return [fileURLToPath(scripts[name])]
}

/** A site with one server, all of whose tools are listed, and a Callboard that serves it; others find the tools known. */
export async function greetingSite(): Promise<Site & { readonly url: string }> {
  const site = createSite({ hall: { mcp: fixtureCommand('sdk-server') } }, { expose: 'all' })
  const serving = await site.serve()
  await serving.prints(/hall {2}up/)
  return { ...site, url: serving.url }
}

/** What a program may see of the machine: a home of its own in the site's folder, where it keeps what it likes. */
function environmentIn({ dir }: Site): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: dir, USERPROFILE: dir, MCP_REMOTE_CONFIG_DIR: dir }
}

/** Runs a program to its end; answers what it printed on stdout. Throws when it failed. */
export async function run(args: readonly string[], site: Site): Promise<string> {
  const child = spawn(process.execPath, args, { env: environmentIn(site), stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`it ended with ${code}:\n${await out}\n${await err}`)
  return await out
}

/** A program that goes on until it is ended. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess
  /** Resolves as soon as it has printed the text. */
  prints(words: string): Promise<void>
}

/** Starts a program that serves. */
export function start(args: readonly string[], site: Site): Program {
  const child = spawn(process.execPath, args, { env: environmentIn(site), stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  let printed = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
      for (const look of waiting) look()
    })
  return {
    child,
    prints: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (printed.includes(words)) resolve()
        }
        waiting.add(look)
        look()
        void exited.then(() => reject(new Error(`it ended without printing ${words}:\n${printed}`)))
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await exited
    },
  }
}

/** A client of ours whose server is such a program. */
export async function connectTo(args: readonly string[], site: Site): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: environmentIn(site),
    stderr: 'ignore',
  })
  await client.connect(transport)
  return client
}

/** Lists the tools and calls one of them: what everybody does. */
export async function useTools(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['hall_greet', 'search_mcp_tools']))
  expect(textOf(await client.callTool({ name: 'hall_greet', arguments: { name: 'Ana' } }))).toBe('hello Ana')
  const through = { tool_name: 'hall_add', arguments: { a: 2, b: 3 } }
  expect(textOf(await client.callTool({ name: 'call_mcp_tool', arguments: through }))).toBe('5')
}
