/** A plugin that does things beside its calls. */
import { setTimeout as delay } from 'node:timers/promises'
import { type DefinedPlugin, definePlugin, tool } from '@callboard/sdk'

// biome-ignore lint/suspicious/noConsole: what it prints is what is tested
console.log('printed while it is loaded')
setTimeout(() => {
  throw new Error('thrown by the timer of its module')
})

const strays: Readonly<Record<string, () => void>> = {
  timer: () => void setTimeout(() => strays.throw?.()),
  immediate: () => void setImmediate(() => strays.throw?.()),
  tick: () => process.nextTick(() => strays.throw?.()),
  promise: () => void Promise.reject(new Error('stray')),
  'nothing at all': () => void Promise.reject(undefined),
  'async function': () => void delay(1).then(() => strays.throw?.()),
  throw: () => {
    throw new Error('stray')
  },
}

const plugin: DefinedPlugin = definePlugin({
  id: 'acme.stray',
  tools: [
    tool({
      name: 'leave',
      args: [{ name: 'what', type: 'string', required: true }],
      run: async ({ what }) => {
        strays[what]?.()
        // biome-ignore lint/suspicious/noConsole: what it prints is what is tested
        console.log(`printed by ${what}`)
        await delay(20)
        return `left ${what}`
      },
    }),
  ],
})
export default plugin
