/** How a plugin of kind `mcp` starts: the reasons when it does not, and the protocol's era. */
import { expect, test } from 'vitest'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { mcpPlugin, stdioPlugin, stdioTarget } from './mcp-under-test.ts'

const started = (lines: readonly Record<string, unknown>[]): number =>
  lines.filter((line) => line.msg === 'the server process was started').length

test.each([
  [
    { command: 'callboard-no-such-command' },
    /command "callboard-no-such-command" was not found on the PATH; install it/,
  ],
  [{ command: '/no/such/command' }, /the command "\/no\/such\/command" does not exist; correct the path/],
  [{ cwd: '/no/such/folder' }, /the folder "\/no\/such\/folder" does not exist; correct "cwd"/],
  [
    { command: 'callboard-no-such-command', env: { PATH: '/no/such/bin' } },
    /was not found on the PATH that "env" sets \("\/no\/such\/bin"\); correct it, or give its full path/,
  ],
  [{ cwd: import.meta.filename }, /starts\.test\.ts" is not a folder; correct "cwd" in the config/],
  [{ command: `${import.meta.filename}/x` }, /starts\.test\.ts\/x" does not exist; correct the path/],
  [{ command: import.meta.filename }, /may not be executed; check its permissions/],
])('a server that can not be run says why: %j', async (part, reason) => {
  await using under = mcpPlugin({ ...stdioTarget('echo-server'), ...part })
  await expect(startPlugin(under.plugin)).rejects.toThrow(reason)
  expect(under.plugin.health()).toMatchObject({ state: 'down', reason: expect.stringMatching(reason) })
})

test('a server that gives up tells its exit code and its last words, without secrets', async () => {
  const secrets = new Secrets()
  secrets.add('ACME_TOKEN')
  await using under = stdioPlugin('fail-server', [], { secrets })
  const words = 'it exited with code 3; its last words: cannot read the settings / [secret] is not set'
  await expect(startPlugin(under.plugin)).rejects.toThrow(`plugin "acme" did not start: ${words}`)
  expect(under.plugin.health().reason).toBe(words)
})

test('a server whose script is missing says so, and not where its runtime found that out', async () => {
  await using under = mcpPlugin({ ...stdioTarget('echo-server'), args: ['/no/such/server.js'] })
  const words = "it exited with code 1; its last words: Error: Cannot find module '/no/such/server.js'"
  await expect(startPlugin(under.plugin)).rejects.toThrow(words)
  expect(under.plugin.health().reason).toBe(words)
})

test.each([
  ['{"jsonrpc":"2.0","id":77,"result":{}}\n', /the last that came on stdout: \{"jsonrpc":"2\.0","id":77/],
  ['no line without an end', /the last that came on stdout: no line without an end/],
  ['garbage\n', /its last words: garbage/],
])('a server that says %j and nothing else is given up with that', async (said, reason) => {
  const script = `process.stdout.write(${JSON.stringify(said)}); setInterval(() => {}, 1e6)`
  const target = { ...stdioTarget('hang-server'), args: ['-e', script] }
  await using under = mcpPlugin(target, { timeouts: { probeMs: 10_000 } })
  await expect(startPlugin(under.plugin, AbortSignal.timeout(1_500))).rejects.toThrow(reason)
})

test('a server that hangs is given up when the time is up, with its last words', async () => {
  await using under = stdioPlugin('hang-server')
  const reason = 'no time left; its last words: still warming up'
  const patience = new AbortController()
  const starting = startPlugin(under.plugin, patience.signal)
  const failed = expect(starting).rejects.toThrow(reason)
  await expect.poll(() => under.lines.some((line) => line.msg === 'still warming up')).toBe(true)
  patience.abort(new Error('no time left'))
  await failed
  expect(under.plugin.health()).toMatchObject({ state: 'down', reason })
})

test.each(['both', 'legacy', 'modern'])('a usual server (%s) is started once', async (era) => {
  await using under = stdioPlugin('echo-server', ['--era', era], { timeouts: { probeMs: 20_000 } })
  await startPlugin(under.plugin)
  const { meta } = JSON.parse(textOf(await callPlugin(under.plugin, 'echo')))
  expect('io.modelcontextprotocol/protocolVersion' in meta).toBe(era !== 'legacy')
  expect(started(under.lines)).toBe(1)
})

test.each([
  ['ends when it is asked for the modern era', ['--era', 'legacy', '--probe', 'exit']],
  ['is modern only, and was still loading when it was asked', ['--era', 'modern', '--late', '600']],
])('a server that %s is started twice the first time, and once from then on', async (_, args) => {
  const store = memoryToolLists()
  for (const starts of [2, 1, 1]) {
    await using under = stdioPlugin('echo-server', args, { store, timeouts: { probeMs: 100 } })
    await startPlugin(under.plugin)
    expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
    expect(started(under.lines)).toBe(starts)
  }
})

test('a server that leaves the question unanswered costs its time once, and is never started twice', async () => {
  const store = memoryToolLists()
  // Longer than a start may take: the second time nobody waits for it.
  for (const probeMs of [300, 50_000]) {
    const args = ['--era', 'legacy', '--probe', 'ignore']
    await using under = stdioPlugin('echo-server', args, { store, timeouts: { probeMs } })
    await startPlugin(under.plugin)
    expect(started(under.lines)).toBe(1)
  }
})

test('what was learned of a server that has changed since corrects itself', async () => {
  const store = memoryToolLists()
  await using old = stdioPlugin('echo-server', ['--era', 'legacy', '--probe', 'exit'], { store })
  await startPlugin(old.plugin)
  let hints: unknown
  const changedStore = {
    ...store,
    get: () => ({ tools: [], listedAt: 0, hints: { era: { greeting: 'legacy', learnedAt: Date.now() } } }),
    change: (_id: string, _fingerprint: string, list: { readonly hints?: unknown }) => {
      hints = list.hints
      return true
    },
  }
  await using updated = stdioPlugin('echo-server', ['--era', 'modern'], { store: changedStore })
  await startPlugin(updated.plugin)
  expect(textOf(await callPlugin(updated.plugin, 'progress'))).toBe('done')
  expect(hints).toMatchObject({ era: { greeting: 'modern' } })
})

test('a server that crashes at every start is started twice only the first time', async () => {
  await using under = stdioPlugin('fail-server')
  for (const starts of [2, 3, 4]) {
    await expect(startPlugin(under.plugin)).rejects.toThrow('it exited with code 3')
    expect(started(under.lines)).toBe(starts)
  }
})

test('the official SDK’s own server runs in the modern era', async () => {
  await using under = stdioPlugin('sdk-server')
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'add', { a: 2, b: 3 }))).toBe('5')
})
