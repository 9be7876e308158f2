/** A process that serves a few tools over stdio; tests start it. Says `ended` on stderr when serving has ended. */
import { serveStdio } from '../../packages/callboard/src/surfaces/mcp/stdio.ts'
import { hostDouble, ScriptedPlugin } from './host-double.ts'

const stopped = new AbortController()
process.on('SIGTERM', () => stopped.abort())

const lab = new ScriptedPlugin('lab', [
  {
    name: 'length',
    run: ({ arguments: args }) => ({ content: [{ type: 'text', text: `${String(args.text).length}` }] }),
  },
  {
    name: 'repeat',
    run: ({ arguments: args }) => ({ content: [{ type: 'text', text: 'ü'.repeat(Number(args.times)) }] }),
  },
  {
    name: 'deep',
    run: () => ({
      content: [],
      structuredContent: JSON.parse(`${'{"0":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
    }),
  },
  {
    name: 'noisy',
    run: () => {
      process.stdout.write('this is not JSON-RPC\n')
      return { content: [{ type: 'text', text: 'quiet' }] }
    },
  },
  {
    name: 'wait',
    run: ({ signal, onProgress }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          process.stderr.write('aborted\n')
          resolve({ content: [] })
        })
        onProgress?.({ progress: 1 })
      }),
  },
  {
    name: 'grow',
    run: () => {
      double.setPlugins([lab, new ScriptedPlugin('more', [{ name: 'grown' }])])
      return { content: [] }
    },
  },
])
const double = await hostDouble([lab])
await serveStdio(double.host, (era) => ({ user: 'owner', expose: 'all', era }), stopped.signal)
process.stdout.write('')
process.stderr.write('ended\n')
