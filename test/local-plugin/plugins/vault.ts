/** A local plugin whose tool `echo` says what it was told, and whose tool `relay` calls another tool on behalf of its caller. */
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'

const plugin: DefinedPlugin = definePlugin({
  id: 'vault',
  tools: [
    tool({ name: 'echo', inputSchema: { type: 'object' }, run: (args) => JSON.stringify(args) }),
    tool({
      name: 'relay',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      run: async ({ to }, context) => context.call(String(to)),
    }),
  ],
})

export default plugin
