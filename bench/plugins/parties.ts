/** What the plugin benchmark calls: the same echo as each kind of plugin, and over each transport. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Asker, type Transport } from '@callboard/sdk/external'
import { createLocalPlugin } from '../../packages/callboard/src/plugins/local/local-plugin.ts'
import type { ToolCall } from '../../packages/callboard/src/plugins/plugin.ts'
import { type StartedPlugin, startExternal } from '../../test/external/started-plugin.ts'
import { startPlugin, toolCall } from '../../test/fixtures/plugin-calls.ts'
import { mcpPlugin } from '../../test/mcp-plugin/mcp-under-test.ts'
import { echoPlugin } from './echo-plugin.ts'

/** One row. */
export interface Party {
  readonly name: string
  /** Calls it once, and throws for an answer that is none. */
  readonly call: () => Promise<void>
}

interface Parties extends AsyncDisposable {
  readonly all: readonly Party[]
}

const HERE = import.meta.dirname
const GO = join(HERE, '..', '..', 'examples', 'external', 'go', 'plugin')
/** A small call and a small answer. */
const ARGUMENTS = { text: 'x'.repeat(180) }
const ARGUMENTS_JSON = Buffer.from(JSON.stringify(ARGUMENTS))

function callOf(id: string): ToolCall {
  return toolCall({ package: id, name: 'echo', action: 'echo' }, ARGUMENTS)
}

/** Starts them all. Without Go's plugin, which `npm run examples` builds, its rows are left out. */
export async function startParties(): Promise<Parties> {
  const ends = new AsyncDisposableStack()
  const all: Party[] = [await startLocal(), await startMcp(ends)]
  const node = [process.execPath, join(HERE, 'external-echo.ts')] as const
  for (const transport of ['quic', 'tls'] as const)
    all.push(...externalParties(`${transport}, Node`, 'acme/echo', ends.use(await start('acme/echo', node, transport))))
  if (existsSync(GO))
    all.push(...externalParties('quic, Go', 'example/go', ends.use(await start('example/go', [GO], 'quic'))))
  return { all, [Symbol.asyncDispose]: () => ends.disposeAsync() }
}

async function startLocal(): Promise<Party> {
  const plugin = createLocalPlugin({ id: 'acme/echo', target: { plugin: echoPlugin } })
  await startPlugin(plugin)
  const call = callOf('acme/echo')
  return { name: 'in the host', call: async () => void (await plugin.call(call)) }
}

async function startMcp(ends: AsyncDisposableStack): Promise<Party> {
  const command = { command: process.execPath, args: [join(HERE, 'mcp-echo.ts')], env: {}, cwd: process.cwd() }
  const { plugin } = ends.use(mcpPlugin({ transport: 'stdio', ...command }))
  await startPlugin(plugin)
  const call = callOf('acme')
  return { name: 'MCP server, stdio', call: async () => void (await plugin.call(call)) }
}

function start(
  pluginId: string,
  command: readonly [string, ...string[]],
  transport: Transport,
): Promise<StartedPlugin> {
  return startExternal({ pluginId, command, transport })
}

function externalParties(name: string, id: string, { link, peer }: StartedPlugin): readonly Party[] {
  const call = callOf(id)
  const asker = new Asker(link)
  const body = { case: 'toolCall', value: { toolName: 'echo', argumentsJson: ARGUMENTS_JSON, user: 'owner' } } as const
  const askShared = async (): Promise<void> => {
    const answer = await asker.ask(body, { isShared: true })
    if (answer.case !== 'toolCall') throw new Error(`${name} answered ${answer.case}`)
    JSON.parse(Buffer.from(answer.value.resultJson).toString('utf8'))
  }
  return [
    { name: `${name}, a stream a call`, call: async () => void (await peer.call(call)) },
    { name: `${name}, a shared stream`, call: askShared },
  ]
}
