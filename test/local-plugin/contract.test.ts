/** Plugins of kind `local` keep the port, loaded from a module or given as a value. */
import { join } from 'node:path'
import { createLocalPlugin } from '../../packages/callboard/src/plugins/local/local-plugin.ts'
import { pluginContract } from '../contracts/plugin.contract.ts'
import plugin from './plugins/contract.ts'

async function nothing(): Promise<void> {}

pluginContract('a local module', async () => ({
  plugin: createLocalPlugin({ id: 'acme', target: { path: join(import.meta.dirname, 'plugins/contract.ts') } }),
  [Symbol.asyncDispose]: nothing,
}))

pluginContract(
  'a plugin that is given as a value',
  async () => ({ plugin: createLocalPlugin({ id: 'acme', target: { plugin } }), [Symbol.asyncDispose]: nothing }),
  { 'a stop during the start ends it': 'its start takes no time' },
)
