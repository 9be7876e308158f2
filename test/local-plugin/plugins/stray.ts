/** A plugin that does things beside its calls. */
import { setTimeout as delay } from 'node:timers/promises'
import { type DefinedPlugin, definePlugin, type ToolContext, tool } from '@callboard/sdk'

// biome-ignore lint/suspicious/noConsole: what it prints is what is tested
console.log('printed while it is loaded')
setTimeout(() => {
  throw new Error('thrown by the timer of its module')
})

const strays: Readonly<Record<string, (context: ToolContext) => void>> = {
  timer: () => void setTimeout(throwStray),
  immediate: () => void setImmediate(throwStray),
  tick: () => process.nextTick(throwStray),
  promise: () => void Promise.reject(new Error('stray')),
  'nothing at all': () => void Promise.reject(undefined),
  'async function': () => void delay(1).then(throwStray),
  'what refuses every look': () => void setTimeout(throwUnreadable),
  'call of no tool': ({ call }) => void call('nope'),
  'call from a timer': ({ call }) => void setTimeout(() => void call('nope')),
  'call that fails': ({ call }) => void call('fail'),
}

function throwStray(): never {
  throw new Error('stray')
}

function throwUnreadable(): never {
  const refuse = throwStray
  throw new Proxy({}, { get: refuse, getPrototypeOf: refuse })
}

const plugin: DefinedPlugin = definePlugin({
  id: 'acme.stray',
  tools: [
    tool({
      name: 'leave',
      args: [{ name: 'what', type: 'string', required: true }],
      run: async ({ what }, context) => {
        strays[what]?.(context)
        // biome-ignore lint/suspicious/noConsole: what it prints is what is tested
        console.log(`printed by ${what}`)
        await delay(20)
        return `left ${what}`
      },
    }),
    tool({ name: 'fail', run: throwStray }),
  ],
})
export default plugin
