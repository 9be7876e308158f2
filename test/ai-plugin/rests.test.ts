/** When a provider is given a rest, what that is for its callers, and when it is over. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import type { ToolResult } from '../../packages/callboard/src/plugins/plugin.ts'
import { startModelServer, type Turn } from '../fixtures/model-server.ts'
import { callPlugin, changed, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { type AiScene, bridgeTo, providerAt, startScene } from './ai-under-test.ts'

const down: Turn = { kind: 'status', status: 503, message: 'overloaded', headers: { 'retry-after-ms': '1' } }

async function ask({ plugin }: Pick<AiScene, 'plugin'>, prompt = 'x', signal?: AbortSignal): Promise<ToolResult> {
  return callPlugin(plugin, 'ai_prompt', { prompt }, signal && { signal })
}

function errorOf({ _meta }: ToolResult): unknown {
  const meta: Record<string, unknown> = { ..._meta }
  return Object(meta['callboard/ai']).error
}

const PAUSE_MS = 60_000

/** Only what the breaker reads is another's: sockets and timers are the machine's own. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  return () => vi.useRealTimers()
})

function passTheRest(): void {
  vi.setSystemTime(Date.now() + PAUSE_MS + 1)
}

/** A scene whose provider rests. */
async function restingScene(): Promise<AiScene> {
  const scene = await startScene('openai', {}, { failures: 1, pauseMs: PAUSE_MS })
  scene.server.plan(down)
  await ask(scene)
  expect(scene.plugin.health().reason).toMatch(/^openai is unavailable/)
  return scene
}

/** The call that tries the provider when the rest is over; its request is there. */
async function trial(scene: AiScene, signal?: AbortSignal): Promise<{ readonly answer: Promise<unknown> }> {
  passTheRest()
  const { length } = scene.server.requests
  const answer = ask(scene, 'the trial', signal).catch((error: unknown) => error)
  await scene.server.request(length)
  return { answer }
}

describe('a provider that fails again and again', () => {
  test('is not asked for a while, which its plugin tells, and then asked by one call', async () => {
    const scene = await startScene('openai', {}, { failures: 3, pauseMs: PAUSE_MS })
    const { plugin, server } = scene
    server.usually(down)
    const tripped = changed(plugin, () => plugin.health().reason !== undefined)
    await ask(scene)
    await tripped
    expect(plugin.health()).toMatchObject({
      state: 'up',
      reason: expect.stringMatching(
        /^openai is unavailable again and again, the last time: status 503: overloaded; it is asked again after \d{4}-/,
      ),
    })
    const { length } = server.requests
    const refused = await ask(scene)
    expect(errorOf(refused)).toEqual({ kind: 'unavailable' })
    expect(server.requests).toHaveLength(length)
    server.usually({ kind: 'answer' })
    const mended = changed(plugin, () => plugin.health().reason === undefined)
    passTheRest()
    expect(textOf(await ask(scene, 'back'))).toBe('back')
    await mended
    expect(plugin.health().state).toBe('up')
  })

  test('leaves the other provider of its bridge alone', async () => {
    const [first, second] = [await startModelServer(), await startModelServer()]
    const { plugin, host } = bridgeTo([providerAt(first, 'openai'), providerAt(second, 'anthropic')], {
      failures: 1,
      pauseMs: PAUSE_MS,
    })
    await startPlugin(plugin, undefined, host)
    first.usually(down)
    await callPlugin(plugin, 'ai_prompt', { prompt: 'x' }, { provider: 'openai' })
    const refused = await callPlugin(plugin, 'ai_prompt', { prompt: 'x' }, { provider: 'openai' })
    expect(errorOf(refused)).toEqual({ kind: 'unavailable' })
    expect(textOf(await callPlugin(plugin, 'ai_prompt', { prompt: 'fine' }, { provider: 'anthropic' }))).toBe('fine')
    expect(plugin.health().reason).toMatch(/^openai is unavailable/)
    await plugin.stop()
    await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
  })

  test('is no worse off for keys that are refused and limits that are reached', async () => {
    const scene = await startScene('openai', {}, { failures: 1, pauseMs: PAUSE_MS })
    scene.server.plan(
      { kind: 'status', status: 401 },
      { kind: 'status', status: 429, headers: { 'retry-after': '100' } },
      { kind: 'status', status: 400 },
    )
    for (let i = 0; i < 3; i += 1) await ask(scene)
    expect(textOf(await ask(scene, 'fine'))).toBe('fine')
  })
})

describe('the call that tries a provider again', () => {
  test('keeps no other call waiting', async () => {
    const scene = await restingScene()
    scene.server.plan({ kind: 'hang', pieces: [] })
    const caller = new AbortController()
    const { answer } = await trial(scene, caller.signal)
    const { length } = scene.server.requests
    expect(errorOf(await ask(scene))).toEqual({ kind: 'unavailable' })
    expect(scene.server.requests).toHaveLength(length)
    caller.abort()
    expect(await answer).toMatchObject({ code: 'cancelled' })
  })

  test('ends no rest when it is cancelled, and the next one tries it', async () => {
    const scene = await restingScene()
    scene.server.plan({ kind: 'hang', pieces: [] })
    const caller = new AbortController()
    const { answer } = await trial(scene, caller.signal)
    caller.abort()
    await answer
    expect(scene.plugin.health().reason).toMatch(/^openai is unavailable/)
    expect(await (await trial(scene)).answer).toMatchObject({ content: [{ text: 'the trial' }] })
    expect(scene.plugin.health().reason).toBeUndefined()
  })
})

test('a provider that lets the time of its calls run out is given a rest too, one whose calls are cancelled is not', async () => {
  const scene = await startScene('openai', {}, { failures: 2, pauseMs: PAUSE_MS })
  scene.server.usually({ kind: 'hang', pieces: [] })
  const end = async (reason: CallboardError): Promise<void> => {
    const call = new AbortController()
    const { length } = scene.server.requests
    const answer = ask(scene, 'x', call.signal).catch(String)
    await scene.server.request(length)
    call.abort(reason)
    await answer
  }
  for (let i = 0; i < 3; i += 1) await end(new CallboardError('cancelled', 'the caller is gone'))
  expect(scene.plugin.health().reason).toBeUndefined()
  for (let i = 0; i < 2; i += 1) await end(new CallboardError('timeout', 'its time is up'))
  expect(scene.plugin.health().reason).toMatch(/the last time: it gave no answer in time; it is asked again after/)
  const { length } = scene.server.requests
  expect(errorOf(await ask(scene))).toEqual({ kind: 'unavailable' })
  expect(scene.server.requests).toHaveLength(length)
})
