/** The port Plugin, kept by plugins of kind ai. */
import type { Plugin } from '../../packages/callboard/src/plugins/plugin.ts'
import { type PluginUnderTest, pluginContract } from '../contracts/plugin.contract.ts'
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts'
import { callPlugin } from '../fixtures/plugin-calls.ts'
import { bridgeTo, providerAt } from './ai-under-test.ts'

/** A model that does what the suite asks of a tool of the same name. */
function promptFor(server: ModelServer): typeof callPlugin {
  return (plugin: Plugin, name, args = {}, more = {}) => {
    switch (name) {
      case 'progress':
        server.plan({ kind: 'answer', pieces: ['done'] })
        return callPlugin(plugin, 'ai_prompt', { prompt: 'x' }, more)
      case 'wait':
        server.plan({ kind: 'hang', pieces: ['begun'] })
        return callPlugin(plugin, 'ai_prompt_stream', { prompt: 'x' }, more)
      case 'odd':
        server.plan({ kind: 'status', status: 400 })
        return callPlugin(plugin, 'ai_prompt', { prompt: 'x' }, more)
      default:
        return callPlugin(plugin, 'ai_prompt', { prompt: JSON.stringify({ arguments: args }) }, more)
    }
  }
}

async function make(): Promise<PluginUnderTest> {
  const server = await startModelServer()
  const { plugin, host } = bridgeTo([providerAt(server, 'openai-compatible')])
  return { plugin, host, call: promptFor(server), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

pluginContract('a bridge to model providers', make, {
  'arguments and _meta reach the tool as they were given': 'a model is given the arguments, but no _meta',
  'content of every kind and unknown fields come back untouched': 'a model answers text',
  'all progress arrives in order before the result': 'it is the text itself; see prompts.test.ts',
})
