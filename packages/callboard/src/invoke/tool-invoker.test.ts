import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import { describe, expect, it, vi } from 'vitest'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import { sortedTools } from '../catalog/tool-lists.ts'
import { CallboardError, UpstreamError } from '../errors.ts'
import { parseWritten } from '../exact-json.ts'
import { createLog } from '../log.ts'
import type { Plugin, ToolCall, ToolResult } from '../plugins/plugin.ts'
import { Secrets } from '../secrets.ts'
import type { CallRecord, RecordedCall } from './call-record.ts'
import type { InvokeRequest } from './invoke-request.ts'
import { createToolInvoker, type InvokerDependencies, type ToolInvoker } from './tool-invoker.ts'

const read: ToolDefinition = {
  package: 'files',
  name: 'read',
  action: 'read',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const secret: ToolDefinition = { package: 'vault', name: 'open', action: 'open' }
const ask: ToolDefinition = { package: 'bridge', name: 'ai_prompt', action: 'ai_prompt' }
const relay: ToolDefinition = {
  package: 'callboard',
  name: 'call_mcp_tool',
  action: 'call_mcp_tool',
  destructive: true,
}
const result: ToolResult = { content: [{ type: 'text', text: 'hi' }], extra: 1 }

function toolOf(definition: ToolDefinition, providers: readonly string[] = []): CatalogTool {
  const { package: pluginId, name } = definition
  const entry: CatalogEntry = {
    name: `${pluginId}_${name}`,
    description: '',
    pluginId,
    category: 'tool',
    providers,
    namespacedName: `plugin:${pluginId}:${name}`,
    declaredName: name,
  }
  return { definition, entry }
}

/** A view of these tools, with one suggestion for whatever is not there. */
function viewOf(tools: readonly CatalogTool[]): CatalogView {
  const absent = (): never => {
    throw new Error('a call asks nothing else of a view')
  }
  return {
    tools: sortedTools(tools),
    resolve: (name) => tools.find(({ entry }) => entry.name === name || entry.namespacedName === name),
    suggest: (_name, limit) => tools.map(({ entry }) => entry.name).slice(0, Math.min(limit, 1)),
    search: absent,
    listCatalog: absent,
    catalogCount: absent,
    searchCatalog: absent,
    getCatalogEntry: absent,
    listPluginIds: absent,
    prepare: () => Promise.resolve(),
  }
}

interface Stage {
  readonly invoker: ToolInvoker & { reports(): string[] }
  readonly calls: ToolCall[]
  readonly records: CallRecord[]
  readonly lines: string[]
  run(request?: Partial<InvokeRequest>): Promise<ToolResult>
}

/** An invoker in front of one plugin that runs `act`. */
function stage(
  act: (call: ToolCall) => Promise<ToolResult> = async () => result,
  changes: Partial<InvokerDependencies> = {},
  isRecorded = true,
): Stage {
  const calls: ToolCall[] = []
  const records: CallRecord[] = []
  const lines: string[] = []
  const plugin: Plugin = {
    id: 'files',
    kind: 'local',
    tools: [],
    start: async () => undefined,
    call: (call) => {
      calls.push(call)
      return act(call)
    },
    health: () => ({ state: 'up', since: 0 }),
    stop: async () => undefined,
    onChange: () => () => undefined,
  }
  const view = viewOf([toolOf(read), toolOf(ask, ['claude', 'gpt']), toolOf(relay)])
  const invoker = createToolInvoker({
    view: async () => view,
    pluginOf: () => plugin,
    gate: { allows: () => true },
    limits: { timeoutMs: 1_000, maxTimeoutMs: 5_000, queue: 2 },
    log: createLog(new Secrets(), 'info', { write: (line: string) => lines.push(line) }),
    ...(isRecorded && { record: (call: CallRecord) => void records.push(call) }),
    ...changes,
  })
  const request = { name: 'files_read', arguments: { path: 'a' }, user: 'ana' }
  return { invoker, calls, records, lines, run: (more = {}) => invoker.run({ ...request, ...more }) }
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('it should have thrown'),
    (thrown: unknown) => thrown,
  )
}

describe('a call', () => {
  it('answers with the very result of the plugin', async () => {
    const { run, calls, records } = stage()
    const signal = new AbortController().signal
    expect(await run({ meta: { trace: 1 }, surface: 'cli', signal })).toBe(result)
    expect(calls[0]).toMatchObject({
      definition: read,
      arguments: { path: 'a' },
      user: 'ana',
      surface: 'cli',
      meta: { trace: 1 },
    })
    expect(records).toEqual([
      {
        time: expect.any(Number),
        user: 'ana',
        surface: 'cli',
        tool: 'plugin:files:read',
        plugin: 'files',
        outcome: 'ok',
        durationMs: expect.any(Number),
        argumentsSize: JSON.stringify({ path: 'a' }).length,
        resultSize: JSON.stringify(result).length,
        via: undefined,
        provider: undefined,
      },
    ])
  })

  it('takes the namespaced name too', async () => {
    const { run } = stage()
    expect(await run({ name: 'plugin:files:read' })).toBe(result)
  })

  it('goes through its steps in their order', async () => {
    const steps: string[] = []
    const note = <T>(step: string, value: T): T => {
      steps.push(step)
      return value
    }
    const view = viewOf([toolOf(read)])
    const { run } = stage(async () => note('call', result), {
      view: async () => note('view', view),
      gate: { allows: () => true, admits: () => note('admits', true) },
      timeoutOf: () => note('limits', 50),
      record: () => note('record', undefined),
    })
    await run()
    expect(steps).toEqual(['view', 'admits', 'limits', 'call', 'record'])
    steps.length = 0
    await thrownBy(run({ arguments: {} }))
    expect(steps).toEqual(['view', 'record'])
  })

  describe('with numbers that get lost in doubles', () => {
    const given = (number: string): Partial<InvokeRequest> => ({
      arguments: { path: 'a', n: [Number(number)] },
      writtenArguments: Object(parseWritten(`{"path":"a","n":[${number}]}`)),
    })
    const refusal = {
      code: 'invalid_arguments',
      message: expect.stringContaining(
        'n[0]: 9007199254740993 is too large to be passed on exactly; give it as a text',
      ),
    }

    it('is refused where the plugin gets doubles, and recorded as invalid', async () => {
      const { run, calls, records } = stage()
      expect(await thrownBy(run(given('9007199254740993')))).toMatchObject(refusal)
      expect(calls).toEqual([])
      expect(records).toMatchObject([{ outcome: 'invalid' }])
      for (const harmless of ['0.1234567890123456789', '1.0', '-0']) expect(await run(given(harmless))).toBe(result)
    })

    it('reaches a plugin that passes them on', async () => {
      const taken: ToolCall[] = []
      const call = async (one: ToolCall): Promise<ToolResult> => {
        taken.push(one)
        return result
      }
      const passing = { id: 'files', passesWritten: true, call }
      const { run } = stage(undefined, { pluginOf: () => passing })
      expect(await run(given('9007199254740993'))).toBe(result)
      expect(JSON.stringify(taken[0]?.writtenArguments)).toBe('{"path":"a","n":[9007199254740993]}')
    })

    it('is refused before a gate is asked that looks at arguments', async () => {
      const admits = vi.fn(() => true as const)
      const passing = { id: 'files', passesWritten: true, call: async () => result }
      const { run } = stage(undefined, { pluginOf: () => passing, gate: { allows: () => true, admits } })
      expect(await thrownBy(run(given('9007199254740993')))).toMatchObject(refusal)
      expect(admits).not.toHaveBeenCalled()
      expect(await run(given('1.50'))).toBe(result)
    })
  })

  it('that its surface refuses is recorded by the name as written, and nothing is looked up', async () => {
    const view = vi.fn(() => Promise.resolve(viewOf([toolOf(read)])))
    const { run, records } = stage(undefined, { view })
    for (const code of ['denied', 'usage'] as const) {
      const refusal = new CallboardError(code, 'no')
      expect(await thrownBy(run({ name: 'files_read', surface: 'cli', refusal }))).toBe(refusal)
    }
    expect(view).not.toHaveBeenCalled()
    expect(records).toMatchObject([
      { user: 'ana', surface: 'cli', tool: 'files_read', plugin: undefined, outcome: 'denied' },
      { user: 'ana', surface: 'cli', tool: 'files_read', plugin: undefined, outcome: 'invalid' },
    ])
  })

  it('by definition runs the tool of that identity in the view', async () => {
    const { invoker, calls } = stage()
    expect(await invoker.invoke({ ...read, inputSchema: {} }, { path: 'a' }, 'ana', { via: 'x' })).toBe(result)
    expect(calls[0]?.definition).toBe(read)
    expect(await thrownBy(invoker.invoke(secret, {}, 'ana'))).toMatchObject({
      code: 'not_found',
      message: 'no tool named "plugin:vault:open"; did you mean "files_read"?',
    })
  })

  it('of a tool that the user may not use is answered like one that is not there', async () => {
    const { run, records } = stage(undefined, { known: (name) => (name === 'vault_open' ? secret : undefined) })
    const hidden = await thrownBy(run({ name: 'vault_open' }))
    const absent = await thrownBy(run({ name: 'vault_opem' }))
    expect(hidden).toMatchObject({
      code: 'not_found',
      message: 'no tool named "vault_open"; did you mean "files_read"?',
    })
    expect(String(absent)).toBe(String(hidden).replace('vault_open', 'vault_opem'))
    expect(records.map(({ tool, plugin, outcome }) => [tool, plugin, outcome])).toEqual([
      ['plugin:vault:open', 'vault', 'denied'],
      ['vault_opem', undefined, 'unknown'],
    ])
  })

  it('that is unknown is answered with a close name in the form in which the surface tells it', async () => {
    const bridge = toolOf(ask, ['claude', 'openai'])
    const closeTo = async (surface: 'mcp' | 'cli', tools: readonly CatalogTool[]) =>
      String(await thrownBy(stage(undefined, { view: () => viewOf(tools) }).run({ name: 'x', surface })))
    expect(await closeTo('mcp', [toolOf(read)])).toContain('no tool named "x"; did you mean "files_read"?')
    expect(await closeTo('cli', [toolOf(read)])).toContain('no tool named "x"; did you mean "plugin:files:read"?')
    expect(await closeTo('cli', [bridge])).toContain('no tool named "x"; did you mean "bridge_ai_prompt"?')
    expect(await closeTo('cli', [])).toMatch(/no tool named "x"$/)
  })

  it('says nothing of arguments before the tool is known', async () => {
    const { run } = stage()
    expect(await thrownBy(run({ name: 'x'.repeat(5_000), arguments: {} }))).toMatchObject({
      message: `no tool named "${'x'.repeat(128)}"; did you mean "files_read"?`,
    })
  })

  it('shows and records no part of a secret in a name that is cut', async () => {
    const secret = 'tiger'.repeat(20)
    const secrets = new Secrets()
    secrets.add(secret)
    const { run, records } = stage(undefined, { excerpt: (text, max) => secrets.excerpt(text, max) })
    const thrown = await thrownBy(run({ name: `${'q'.repeat(40)}${secret}` }))
    expect(String(thrown)).toContain(`"${'q'.repeat(40)}[secret]"`)
    expect(records.map(({ tool }) => tool)).toEqual([`${'q'.repeat(40)}[secret]`])
  })

  it('with wrong arguments never reaches the plugin', async () => {
    const { run, calls, records } = stage()
    expect(await thrownBy(run({ arguments: { path: 5 } }))).toMatchObject({
      code: 'invalid_arguments',
      message:
        'invalid arguments for "files_read": path: expected string, got number 5; arguments: path (string, required)',
    })
    expect(calls).toEqual([])
    expect(records[0]?.outcome).toBe('invalid')
  })

  it('is refused in the words of the gate', async () => {
    const { run, records } = stage(undefined, {
      gate: { allows: () => true, admits: async (user, { name }, args) => `${user} may not ${name} ${args.path}` },
    })
    expect(await thrownBy(run())).toMatchObject({
      code: 'denied',
      message: '"files_read" is not allowed with these arguments: ana may not read a',
    })
    expect(records[0]?.outcome).toBe('denied')
  })

  it.each(['undefined', 'null', 'false', '1', '{}'])('is refused by a gate that answers %s', async (answer) => {
    const admits = (): true => JSON.parse(answer === 'undefined' ? '{}' : `{"is":${answer}}`).is
    const { run, calls } = stage(undefined, { gate: { allows: () => true, admits } })
    expect(await thrownBy(run())).toMatchObject({
      code: 'denied',
      message: '"files_read" is not allowed with these arguments: no reason is given',
    })
    expect(calls).toEqual([])
  })

  it('is over when the gate has not answered in time', async () => {
    const { run, calls, records } = stage(undefined, {
      gate: { allows: () => true, admits: () => new Promise(() => {}) },
      limits: { timeoutMs: 20, maxTimeoutMs: 5_000, queue: 2 },
    })
    expect(await thrownBy(run())).toMatchObject({
      code: 'timeout',
      message: 'the gate did not answer for 0.02 s; see to it that its admits() settles, or raise limits.timeout',
    })
    expect(records[0]?.outcome).toBe('timeout')
    expect(calls).toEqual([])
  })

  it('is over when its caller cancels while the gate thinks', async () => {
    const asked = Promise.withResolvers<void>()
    const admits = (): Promise<true> => {
      asked.resolve()
      return new Promise(() => {})
    }
    const { run, calls } = stage(undefined, { gate: { allows: () => true, admits } })
    const controller = new AbortController()
    const thrown = thrownBy(run({ signal: controller.signal }))
    await asked.promise
    controller.abort()
    expect(await thrown).toMatchObject({
      code: 'cancelled',
      message: 'the call was cancelled before the gate answered',
    })
    expect(calls).toEqual([])
  })

  it('of a narrowed user reaches the plugin with the name and the narrowing apart, and is recorded by name', async () => {
    const { run, calls, records } = stage(undefined, {})
    await run({ user: { name: 'ana', within: ['files.*'] } })
    expect(calls[0]).toMatchObject({ user: 'ana', within: ['files.*'] })
    await run({ user: 'ana' })
    expect(calls[1]?.within).toBeUndefined()
    expect(records.map(({ user }) => user)).toEqual(['ana', 'ana'])
  })

  it('of a plugin that is gone is unavailable', async () => {
    const { run, records } = stage(undefined, { pluginOf: () => undefined })
    expect(await thrownBy(run())).toMatchObject({
      code: 'unavailable',
      message: '"files_read" of plugin "files" is not there any more',
    })
    expect(records[0]?.outcome).toBe('unavailable')
  })

  it.each([
    ['tool_error', async () => ({ content: [], isError: true })],
    ['upstream_error', () => Promise.reject(new UpstreamError(-32050, 'theirs', { a: 1 }))],
    ['upstream_error', () => Promise.reject(new Error('bug'))],
    ['unavailable', () => Promise.reject(new CallboardError('unavailable', 'down'))],
  ])('that ends in %s is recorded so', async (outcome, act) => {
    const { run, records } = stage(act)
    await run().catch(() => undefined)
    expect(records.map((record) => record.outcome)).toEqual([outcome])
  })

  it('passes on the error of a server as it is, and wraps that of a plugin', async () => {
    const theirs = new UpstreamError(-32050, 'theirs', { a: 1 })
    expect(await thrownBy(stage(() => Promise.reject(theirs)).run())).toBe(theirs)
    const bug = new Error('bug')
    const thrown = await thrownBy(
      stage(() => {
        throw bug
      }).run(),
    )
    expect(thrown).toMatchObject({
      code: 'tool_failed',
      message: 'plugin "files" failed to run "files_read": bug',
      cause: bug,
    })
  })

  it.each([
    ['null', 'null'],
    ['"text"', 'a string'],
    ['[]', 'a list'],
    ['{"content":"text"}', 'an object without it'],
  ])('that answers %s is a fault of the plugin', async (answer, words) => {
    const { run, records } = stage(async () => JSON.parse(answer))
    expect(await thrownBy(run())).toMatchObject({
      code: 'tool_failed',
      message: `plugin "files" answered "files_read" with ${words}, expected an object with a list "content"`,
    })
    expect(records[0]?.outcome).toBe('upstream_error')
  })

  it('is over when its time is, and then aborted', async () => {
    const { run, calls, records } = stage(() => new Promise(() => undefined), { timeoutOf: () => 5 })
    expect(await thrownBy(run())).toMatchObject({
      code: 'timeout',
      message: '"files_read" gave no answer and no progress for 0.005 s',
    })
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(records[0]?.outcome).toBe('timeout')
  })

  it('is over when the caller cancels', async () => {
    const caller = new AbortController()
    const { run, records } = stage(async () => {
      caller.abort()
      return result
    })
    expect(await thrownBy(run({ signal: caller.signal }))).toMatchObject({ code: 'cancelled' })
    expect(records[0]?.outcome).toBe('cancelled')
  })

  it('passes progress on, and survives a caller who can not take it', async () => {
    const onProgress = vi.fn(() => {
      throw new Error('not now')
    })
    const { run, lines } = stage(async (call) => {
      call.onProgress?.({ progress: 1, message: 'half' })
      return result
    })
    expect(await run({ onProgress })).toBe(result)
    expect(onProgress).toHaveBeenCalledWith({ progress: 1, message: 'half' })
    expect(lines[0]).toContain('progress not taken: not now')
  })

  it('is a line in the log where nobody records it', async () => {
    const { run, lines } = stage(undefined, {}, false)
    await run()
    const line: unknown = JSON.parse(lines[0] ?? '')
    expect(line).toMatchObject({ msg: 'call', user: 'ana', tool: 'plugin:files:read', outcome: 'ok', surface: 'mcp' })
    expect(line).toMatchObject({ time: expect.any(Number), began: expect.any(Number) })
    expect(lines[0]?.match(/"time":/g)).toHaveLength(1)
    expect(lines[0]).not.toContain('path')
  })

  it('is answered when its record is kept, and not before', async () => {
    const kept = Promise.withResolvers<void>()
    const { run } = stage(undefined, { record: () => kept.promise })
    let isAnswered = false
    const answer = run().finally(() => {
      isAnswered = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isAnswered).toBe(false)
    kept.resolve()
    expect(await answer).toBe(result)
  })

  it.each(['files_read', 'nothing'])(
    '(%s) is answered with the reason where it could not be recorded',
    async (name) => {
      const outcomes: string[] = []
      const { run } = stage(undefined, {
        record: async ({ outcome }) => {
          outcomes.push(outcome)
          throw new Error('disk full')
        },
      })
      await expect(run({ name })).rejects.toThrow('disk full')
      expect(outcomes).toHaveLength(1)
    },
  )

  it('hands on what it was to run, for whoever records more', async () => {
    const seen: RecordedCall[] = []
    const { run } = stage(undefined, {
      record: (_, call) => void seen.push(call),
      known: (name) => (name === 'vault_open' ? secret : undefined),
    })
    await run()
    await thrownBy(run({ name: 'vault_open' }))
    await thrownBy(run({ name: 'nothing' }))
    expect(seen.map(({ tool }) => tool)).toEqual([read, secret, undefined])
    expect(seen[0]?.arguments).toEqual({ path: 'a' })
  })

  it('is recorded as failed when its result can not be measured', async () => {
    const { run, records } = stage(async () => ({
      content: [],
      get odd() {
        throw new Error('not now')
      },
    }))
    await expect(run()).rejects.toThrow('not now')
    expect(records.map(({ outcome }) => outcome)).toEqual(['internal'])
  })

  it('reports the tools whose arguments are not checked', async () => {
    const open = { ...read, inputSchema: { $schema: 'https://a.example/none' } }
    const { run, invoker } = stage(undefined, { view: async () => viewOf([toolOf(open)]) })
    expect(await run()).toBe(result)
    expect(invoker.reports()).toEqual([expect.stringContaining('plugin:files:read')])
  })
})

describe('a tool that may destroy something', () => {
  const risky: ToolDefinition = { ...read, destructive: true }
  const changes = { view: async () => viewOf([toolOf(risky)]) }

  it('is recorded before it runs and when it has run, under the same time', async () => {
    const order: string[] = []
    const times: number[] = []
    const { run } = stage(
      async () => {
        order.push('run')
        return result
      },
      {
        ...changes,
        record: async ({ outcome, time }) => {
          times.push(time)
          await new Promise((resolve) => setImmediate(resolve))
          order.push(outcome)
        },
      },
    )
    await run()
    expect(order).toEqual(['started', 'run', 'ok'])
    expect(times[0]).toBe(times[1])
  })

  it('is recorded once where it does not come to run', async () => {
    const { run, records } = stage(undefined, changes)
    await thrownBy(run({ arguments: {} }))
    expect(records.map(({ outcome }) => outcome)).toEqual(['invalid'])
  })

  it('does not run where that can not be recorded, and nothing more is tried', async () => {
    const outcomes: string[] = []
    const { run, calls } = stage(undefined, {
      ...changes,
      record: async ({ outcome }) => {
        outcomes.push(outcome)
        throw new Error('disk full')
      },
    })
    await expect(run()).rejects.toThrow('disk full')
    expect(calls).toEqual([])
    expect(outcomes).toEqual(['started'])
  })

  it('is every tool, while records could not be kept lately', async () => {
    const { run, records } = stage(undefined, { isRecordingBroken: true })
    await run()
    expect(records.map(({ outcome }) => outcome)).toEqual(['started', 'ok'])
  })
})

describe('the calls of one plugin', () => {
  /** A stage with one slot, and the ways to end the calls that run, oldest first. */
  function crowded(changes: Partial<InvokerDependencies> = {}) {
    const ends: ((end: Promise<ToolResult>) => void)[] = []
    const act = ({ signal }: ToolCall): Promise<ToolResult> =>
      new Promise((resolve, reject) => {
        ends.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const { run, calls } = stage(act, { concurrencyOf: () => 1, ...changes })
    const end = (result: Promise<ToolResult>): void => ends.shift()?.(result)
    return { run, calls, end }
  }

  it('run no more at once than they may, and each that ends lets the next one in', async () => {
    const { run, calls, end } = crowded()
    const all = [run(), run(), run({ user: 'bob' })]
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    await expect(run()).rejects.toThrow('plugin "files" is too busy: 1 of its calls run and 2 wait')
    end(Promise.reject(new Error('broken')))
    await expect(all[0]).rejects.toThrow('broken')
    for (const count of [2, 3]) {
      await vi.waitFor(() => expect(calls).toHaveLength(count))
      end(Promise.resolve(result))
    }
    expect(await Promise.all(all.slice(1))).toEqual([result, result])
    expect(calls.map(({ user }) => user)).toEqual(['ana', 'ana', 'bob'])
  })

  it('wait within their own time, and a call that is over leaves the line and its slot', async () => {
    const { run, calls, end } = crowded({ timeoutOf: () => 50 })
    const [first, second] = await Promise.allSettled([run(), run()])
    expect([first, second]).toMatchObject([{ reason: { code: 'timeout' } }, { reason: { code: 'timeout' } }])
    const controller = new AbortController()
    const [third, fourth] = [run(), run({ signal: controller.signal })]
    controller.abort()
    await expect(fourth).rejects.toMatchObject({ code: 'cancelled' })
    const count = calls.length
    end(Promise.resolve(result))
    end(Promise.resolve(result))
    end(Promise.resolve(result))
    expect(await third).toBe(result)
    expect(calls).toHaveLength(count)
  })

  it('are not held up where nothing bounds them, or while the calls of another are', async () => {
    const { run, calls, end } = crowded({ concurrencyOf: ({ package: id }) => (id === 'files' ? 1 : undefined) })
    const all = [run(), run(), ...[1, 2, 3].map(() => run({ name: 'callboard_call_mcp_tool', arguments: {} }))]
    await vi.waitFor(() => expect(calls).toHaveLength(4))
    for (let call = 0; call < 4; call += 1) end(Promise.resolve(result))
    await vi.waitFor(() => expect(calls).toHaveLength(5))
    end(Promise.resolve(result))
    await Promise.all(all)
  })
})

describe('the provider', () => {
  it.each([
    ['files_read', 'claude', '"files_read" takes no provider; leave it out'],
    ['bridge_ai_prompt', undefined, '"bridge_ai_prompt" needs a provider: one of claude, gpt'],
    ['bridge_ai_prompt', 'llama', '"bridge_ai_prompt" has no provider "llama"; choose one of claude, gpt'],
  ])('of %s can not be %s', async (name, provider, message) => {
    const { run } = stage()
    const thrown = await thrownBy(run({ name, ...(provider !== undefined && { provider }) }))
    expect(thrown).toMatchObject({ code: 'invalid_arguments', message })
  })

  it('that the user may not use is refused like one that is not there, and recorded as denied by the bridge that has it', async () => {
    const elsewhere = { ...ask, package: 'elsewhere' }
    const { run, records } = stage(undefined, {
      providers: { fallback: [], aliases: new Map([['meta', 'llama']]) },
      known: (_name, provider) => (provider === 'llama' ? elsewhere : undefined),
    })
    for (const provider of ['Llama', 'meta', 'lama'])
      expect(await thrownBy(run({ name: 'bridge_ai_prompt', provider }))).toMatchObject({
        code: 'invalid_arguments',
        message: `"bridge_ai_prompt" has no provider "${provider}"; choose one of claude, gpt`,
      })
    const name = (id: string) => `plugin:${id}:${ask.name}`
    expect(records.map(({ tool, plugin, outcome }) => [tool, plugin, outcome])).toEqual([
      [name('elsewhere'), 'elsewhere', 'denied'],
      [name('elsewhere'), 'elsewhere', 'denied'],
      [name('bridge'), 'bridge', 'invalid'],
    ])
  })

  it('reaches the plugin as it is spelt there', async () => {
    const { run, calls } = stage()
    await run({ name: 'bridge_ai_prompt', provider: 'Claude' })
    expect(calls[0]?.provider).toBe('claude')
  })

  it('is the only one where there is one', async () => {
    const { run, calls } = stage(undefined, { view: async () => viewOf([toolOf(ask, ['gpt'])]) })
    await run({ name: 'bridge_ai_prompt' })
    expect(calls[0]?.provider).toBe('gpt')
  })
})

describe('a call in place of another', () => {
  /** `call_mcp_tool` that runs `inner`, which answers what `answer` does, or that fails before it comes to that. */
  function relayStage(
    inner: Partial<InvokeRequest>,
    changes: Partial<InvokerDependencies> = {},
    answer = async (): Promise<ToolResult> => result,
  ): Stage {
    const whole: Stage = stage(async (call) => {
      if (call.definition !== relay) return answer()
      if (inner.name === undefined) return { content: [], isError: true }
      const { user, surface, signal } = call
      const rest = call.onProgress === undefined ? {} : { onProgress: call.onProgress }
      return whole.run({ user, surface, signal, ...rest, inPlaceOf: call, ...inner })
    }, changes)
    return whole
  }

  it('leaves the one record of both', async () => {
    const { run, records } = relayStage({ name: 'files_read' })
    expect(await run({ name: 'callboard_call_mcp_tool', arguments: {} })).toBe(result)
    expect(records.map(({ tool, via, outcome }) => [tool, via, outcome])).toEqual([
      ['plugin:files:read', 'call_mcp_tool', 'ok'],
    ])
  })

  it('leaves it too when there is no such tool', async () => {
    const { run, records } = relayStage({ name: 'nothing' })
    await thrownBy(run({ name: 'callboard_call_mcp_tool', arguments: {} }))
    expect(records.map(({ tool, via, outcome }) => [tool, via, outcome])).toEqual([
      ['nothing', 'call_mcp_tool', 'unknown'],
    ])
  })

  it('is recorded as itself when it never came to the other', async () => {
    const { run, records } = relayStage({})
    await run({ name: 'callboard_call_mcp_tool', arguments: {} })
    expect(records.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['plugin:callboard:call_mcp_tool', 'tool_error'],
    ])
  })

  it('has the time of the inner tool', async () => {
    const { run } = relayStage(
      { name: 'files_read' },
      { timeoutOf: ({ name }) => (name === 'read' ? 5_000 : 10) },
      () => new Promise((resolve) => setTimeout(resolve, 30, result)),
    )
    expect(await run({ name: 'callboard_call_mcp_tool', arguments: {} })).toBe(result)
  })

  it('is cancelled with it', async () => {
    const caller = new AbortController()
    const { run, calls, records } = relayStage({ name: 'files_read' }, {}, () => new Promise(() => undefined))
    const thrown = thrownBy(run({ name: 'callboard_call_mcp_tool', arguments: {}, signal: caller.signal }))
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    caller.abort()
    expect(await thrown).toMatchObject({ code: 'cancelled' })
    await vi.waitFor(() => expect(records.map(({ outcome }) => outcome)).toEqual(['cancelled']))
  })
})
