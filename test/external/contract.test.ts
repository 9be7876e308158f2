/** Plugins of kind `external` keep the port, over both links, also where they run elsewhere. */
import { pluginContract } from '../contracts/plugin.contract.ts'
import { externalPlugin, fixtureTarget } from './external-under-test.ts'

for (const transport of ['quic', 'tls'] as const)
  pluginContract(`external over ${transport}`, async () => externalPlugin(fixtureTarget([], transport)))
