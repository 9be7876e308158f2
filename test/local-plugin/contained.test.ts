/** What the code of a plugin does beside its calls, and how little of it the command feels. */
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { connect, createSite, type Site, textOf } from '../gateway/callboard.ts'

const plugins = { 'acme.stray': join(import.meta.dirname, 'plugins/stray.ts') }
const CALLS = ['call of no tool', 'call from a timer', 'call that fails']
const THROWN = ['timer', 'immediate', 'tick', 'promise', 'nothing at all', 'async function', 'what refuses every look']
const KINDS = [...THROWN, ...CALLS]

describe('an error that a plugin leaves behind', () => {
  let site: Site
  let client: Client
  beforeEach(() => {
    site = createSite(plugins)
  })
  afterEach(async () => {
    await client.close()
    await site[Symbol.asyncDispose]()
  })

  test('is logged with the name of the plugin, and the host goes on', async () => {
    const serving = await site.serve()
    client = await connect('modern', { url: serving.url })
    await serving.prints('"reason":"thrown by the timer of its module"')
    for (const what of KINDS) {
      const result = await client.callTool({ name: 'leave', arguments: { what } })
      expect(textOf(result)).toBe(`left ${what}`)
    }
    const lines = () => serving.printed().match(/.*a plugin threw an error outside of its calls.*/g) ?? []
    await expect.poll(lines).toHaveLength(1 + KINDS.length)
    for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ level: 50, plugin: 'acme.stray' })
  })

  test('and what it prints are no part of the protocol on stdout', async () => {
    client = await connect('legacy', { stdio: site.stdio })
    for (const what of KINDS)
      expect(textOf(await client.callTool({ name: 'leave', arguments: { what } }))).toBe(`left ${what}`)
  })
})

describe('on the command line', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage({ plugins })
  })
  afterEach(() => stage[Symbol.asyncDispose]())

  test('a plugin prints to standard error, and an answer stands alone on standard output', async () => {
    const { stdout, stderr, code } = await stage.run(['call', 'leave', '--what', 'timer'])
    expect({ stdout, code }).toEqual({ stdout: 'left timer\n', code: 0 })
    expect(stderr).toContain('printed while it is loaded')
    expect(stderr).toContain('printed by timer')
    expect(stderr).toContain('"reason":"stray"')
  })
})
