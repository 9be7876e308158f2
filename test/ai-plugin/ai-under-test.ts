/** A bridge in front of a model server of its own, for tests. */
import { onTestFinished } from 'vitest'
import type { AiProvider } from '../../packages/callboard/src/config/config.ts'
import { AiPlugin } from '../../packages/callboard/src/plugins/ai/ai-plugin.ts'
import type { BreakerOptions } from '../../packages/callboard/src/plugins/ai/attempts.ts'
import type { PluginHost } from '../../packages/callboard/src/plugins/plugin.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { GOOD_KEY, type ModelServer, startModelServer } from '../fixtures/model-server.ts'
import { emptyHost, keptLog, startPlugin } from '../fixtures/plugin-calls.ts'

export type Api = AiProvider['api']

export const APIS: readonly Api[] = ['openai', 'anthropic', 'google', 'openai-compatible']

export interface AiScene {
  readonly server: ModelServer
  readonly plugin: AiPlugin
  readonly secrets: Secrets
  /** Whatever was written to the log. */
  readonly lines: readonly Record<string, unknown>[]
}

/** A provider of this server, with the model `model-1` and the good key. */
export function providerAt(server: ModelServer, api: Api, more: Partial<AiProvider> = {}): AiProvider {
  const baseUrl = api === 'google' ? server.url.replace('/v1', '/v1beta') : server.url
  const provider = api === 'openai-compatible' ? 'ollama' : api
  return { provider, api, models: ['model-1', 'model-2'], images: true, apiKey: GOOD_KEY, baseUrl, ...more }
}

/** A bridge `bridge.test` that was not started yet, and the host to start it on. */
export function bridgeTo(
  providers: readonly AiProvider[],
  breaker?: BreakerOptions,
): Omit<AiScene, 'server'> & { readonly host: PluginHost } {
  const secrets = new Secrets()
  for (const { apiKey } of providers) if (apiKey !== undefined) secrets.add(apiKey)
  const { log, lines } = keptLog(secrets)
  const plugin = new AiPlugin({ id: 'bridge.test', providers, secrets, ...(breaker && { breaker }) })
  return { plugin, secrets, lines, host: { ...emptyHost(), log } }
}

/** A bridge that is started, with a server of its own; everything goes with the running test. */
export async function startScene(api: Api, more: Partial<AiProvider> = {}, breaker?: BreakerOptions): Promise<AiScene> {
  const server = await startModelServer()
  const { host, ...scene } = bridgeTo([providerAt(server, api, more)], breaker)
  onTestFinished(async () => {
    await scene.plugin.stop()
    await server[Symbol.asyncDispose]()
  })
  await startPlugin(scene.plugin, undefined, host)
  return { server, ...scene }
}
