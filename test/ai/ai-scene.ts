/** Model servers, and the config of bridges to them. */
import type { Client } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { GOOD_KEY, type ModelServer, startModelServer } from '../fixtures/model-server.ts'
import { connect, createSite, ERAS, type Era, type Site } from '../gateway/callboard.ts'

export interface AiServers {
  readonly openai: ModelServer
  readonly claude: ModelServer
  readonly ollama: ModelServer
}

/** A server for each of three providers; they end with the running test. */
export async function startServers(): Promise<AiServers> {
  const [openai, claude, ollama] = await Promise.all([startModelServer(), startModelServer(), startModelServer()])
  onTestFinished(async () => {
    await Promise.all([openai, claude, ollama].map((server) => server[Symbol.asyncDispose]()))
  })
  return { openai, claude, ollama }
}

type Bridges = Readonly<
  Record<'bridge.openai' | 'bridge.claude' | 'bridge.ollama', { readonly ai: Readonly<Record<string, unknown>> }>
>

/** A bridge to each of the three. */
export function bridgesTo({ openai, claude, ollama }: AiServers): Bridges {
  return {
    'bridge.openai': { ai: { provider: 'openai', model: 'gpt-5', apiKey: GOOD_KEY, baseUrl: openai.url } },
    'bridge.claude': {
      ai: {
        provider: 'claude',
        api: 'anthropic',
        model: 'claude-a',
        models: ['claude-b'],
        apiKey: GOOD_KEY,
        baseUrl: claude.url,
      },
    },
    'bridge.ollama': { ai: { provider: 'ollama', model: 'llama3.2', baseUrl: ollama.url } },
  }
}

type Way = readonly ['stdio' | 'http', Era]

/** Each way over which a client of MCP comes in. */
export const WAYS: readonly Way[] = (['stdio', 'http'] as const).flatMap((way) =>
  ERAS.map((era) => [way, era] as const),
)

/** A client that is connected this way to a callboard that serves the site; both end with the running test. */
export async function clientOf(site: Site, [way, era]: Way): Promise<Client> {
  const client = await connect(era, way === 'stdio' ? { stdio: site.stdio } : { url: (await site.serve()).url })
  onTestFinished(() => client.close())
  return client
}

/** A site of these plugins, that goes with the running test. */
export function siteOf(plugins: Readonly<Record<string, unknown>>, more: object = {}): Site {
  const site = createSite(plugins, more)
  onTestFinished(() => site[Symbol.asyncDispose]())
  return site
}
