/** The plugin for the contract suite. */
import { type DefinedPlugin, definePlugin, error, tool } from '@callboard/sdk'

const inputSchema = { type: 'object' }

const plugin: DefinedPlugin = definePlugin({
  id: 'acme',
  tools: [
    tool({ name: 'echo', inputSchema, run: (args, { meta }) => JSON.stringify({ arguments: args, meta }) }),
    tool({
      name: 'progress',
      args: [{ name: 'steps', type: 'integer' }],
      run: ({ steps: total = 0 }, { progress }) => {
        for (let step = 1; step <= total; step++) progress({ progress: step, total, message: `step ${step}` })
        return 'done'
      },
    }),
    tool({
      name: 'wait',
      run: (_args, { signal, progress }) => {
        progress({ progress: 1 })
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
      },
    }),
    tool({
      name: 'odd',
      inputSchema,
      run: ({ kind }) =>
        kind === 'error'
          ? error('the disk is full')
          : {
              content: [{ type: 'hologram' }],
              future: { field: true },
              _meta: { 'acme.example/trace': { a: [1, null] } },
            },
    }),
  ],
})
export default plugin
