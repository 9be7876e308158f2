import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { inHostCode, inPluginCode } from '../plugins/local/plugin-code.ts'
import { containPlugins } from './contain-plugins.ts'

/** A process of which all that is done to it is kept. */
function scene() {
  const done: string[] = []
  const events = new EventEmitter()
  const output = (name: string) => ({ write: (text: string) => void done.push(`${name}: ${text}`) })
  const shared = Object.assign(events, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    exit: (code: number) => done.push(`exit ${code}`),
  })
  Reflect.apply(containPlugins, undefined, [
    shared,
    (plugin: string, thrown: Error) => done.push(`${plugin}: ${thrown}`),
  ])
  return { shared, done, throwIt: () => events.emit('uncaughtException', new Error('stray')) }
}

test('an error from the code of a plugin is told and ends nothing', () => {
  const { done, throwIt } = scene()
  inPluginCode('acme', throwIt)
  expect(done).toEqual(['acme: Error: stray'])
})

test('an error of anybody else, also of the host that a plugin called, ends the process with its stack', () => {
  const { done, throwIt } = scene()
  inPluginCode('acme', () => inHostCode(throwIt))
  expect(done).toEqual([expect.stringMatching(/^stderr: Error: stray\n {4}at /), 'exit 70'])
})

test('only what a plugin prints goes to standard error', () => {
  const { shared, done } = scene()
  shared.stdout.write('answer')
  inPluginCode('acme', () => shared.stdout.write('hello'))
  expect(done).toEqual(['stdout: answer', 'stderr: hello'])
})
