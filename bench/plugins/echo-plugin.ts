/** The tool of the plugin benchmark, the same for every kind of plugin. */
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'

export const echoPlugin: DefinedPlugin = definePlugin({
  id: 'acme/echo',
  tools: [
    tool({
      name: 'echo',
      args: [{ name: 'text', type: 'string', required: true }],
      run: ({ text }, { user }) => ({ content: [{ type: 'text', text }], structuredContent: { text, user } }),
    }),
  ],
})
