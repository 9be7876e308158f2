/** Plugins of kind `mcp` keep the port, over every transport and in both eras. */
import { pluginContract } from '../contracts/plugin.contract.ts'
import { httpPlugin, stdioPlugin } from './mcp-under-test.ts'

for (const era of ['legacy', 'modern']) {
  pluginContract(`mcp over stdio, ${era}`, () => Promise.resolve(stdioPlugin('echo-server', ['--era', era])))
  pluginContract(`mcp over HTTP, ${era}`, () => httpPlugin('echo-server', ['--era', era]))
}
pluginContract('mcp over HTTP+SSE', () => httpPlugin('echo-server', ['--era', 'legacy', '--http-sse']))
