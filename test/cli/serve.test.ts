import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { COMMAND, createStage, type RunningCommand, type Stage } from './run-command.ts'

let stage: Stage
beforeEach(async () => {
  stage = await createStage({
    plugins: {
      echo: { mcp: fixtureCommand('echo-server') },
      broken: { mcp: { command: 'no-such-command-anywhere' } },
    },
  })
})
afterEach(() => stage[Symbol.asyncDispose]())

/** The processes whose parent is this one. */
function childrenOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  return rows.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []))
}

/** One that has ended is not alive, even where nobody has asked for its exit code yet. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

function stop({ child }: RunningCommand, signal: NodeJS.Signals): readonly number[] {
  const children = childrenOf(child.pid ?? 0)
  expect(children).not.toEqual([])
  child.kill(signal)
  return children
}

async function connect(serving: RunningCommand): Promise<Client> {
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(serving.written())?.[0] ?? ''
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'it tells plugins, address and calls, and %s ends it with no child left',
  async (signal) => {
    const serving = stage.start(['serve', '--http', '127.0.0.1:0'])
    await serving.until(/echo {4}up, \d+ tools/)
    await serving.until(/broken {2}down: /)
    const client = await connect(serving)
    await client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: 'echo_echo', arguments: { a: 1 } } })
    await client.callTool({ name: 'echo_odd', arguments: { kind: 'error' } })
    await serving.until(/owner {2}mcp {2}plugin:echo:echo {2}ok {2}\d+ ms/)
    await serving.until(/plugin:echo:odd {2}tool_error/)
    await client.close()
    const children = stop(serving, signal)
    const { code, stdout } = await serving.done
    expect(code).toBe(0)
    await expect.poll(() => children.filter(isAlive)).toEqual([])
    expect(stdout).toMatch(/^echo {4}starting$/m)
    expect(stdout).toContain(`claude mcp add --transport http callboard http://127.0.0.1:`)
    expect(stdout.match(/plugin:echo:echo {2}ok/g)).toHaveLength(1)
  },
)

test('SIGHUP makes it read its config again and go on', async () => {
  const serving = stage.start(['serve', '--http', '127.0.0.1:0'])
  await serving.until(/echo {4}up/)
  serving.child.kill('SIGHUP')
  await serving.until('config: nothing to change')
  const children = stop(serving, 'SIGTERM')
  expect((await serving.done).code).toBe(0)
  await expect.poll(() => children.filter(isAlive)).toEqual([])
})

test('a config that is gone is refused with the name of who named it', async () => {
  const file = join(stage.folder, 'callboard.yaml')
  const named = stage.start(['serve', '--http', '127.0.0.1:0', '--config', file], { env: { CALLBOARD_CONFIG: '' } })
  const inherited = stage.start(['serve', '--http', '127.0.0.1:0'])
  await Promise.all([named.until(/echo {4}up/), inherited.until(/echo {4}up/)])
  await rm(file)
  await named.until(`no config at ${file}, which --config names`)
  await inherited.until(`no config at ${file}, which $CALLBOARD_CONFIG names`)
  const children = [...stop(named, 'SIGTERM'), ...stop(inherited, 'SIGTERM')]
  await Promise.all([named.done, inherited.done])
  await expect.poll(() => children.filter(isAlive)).toEqual([])
})

test('SIGHUP ends every other command', async () => {
  await using waiting = await createStage({ plugins: { waiting: { mcp: fixtureCommand('waiting-server') } } })
  const call = waiting.start(['call', 'waiting_wait', '--log-level', 'debug'])
  await call.until('the call has come')
  call.child.kill('SIGHUP')
  expect((await call.done).code).toBe(130)
})

const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

test.runIf(hasScript)('SIGHUP from a terminal that is closed ends it, and no other', async () => {
  const command = [process.execPath, COMMAND, 'serve', '--config', `${stage.folder}/callboard.yaml`]
  const words = [...command, '--http', '127.0.0.1:0'].map((word) => `'${word}'`).join(' ')
  const terminal = spawn('script', ['--quiet', '--command', `echo pid=$$; exec ${words}`, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: stage.folder, XDG_DATA_HOME: `${stage.folder}/data` },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let told = ''
  terminal.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString()
  })
  await expect.poll(() => told, { timeout: 15_000 }).toMatch(/echo {4}.*up/)
  const pid = Number(/pid=(\d+)/.exec(told)?.[1])
  const children = childrenOf(pid)
  expect(children).not.toEqual([])
  process.kill(pid, 'SIGHUP')
  await expect.poll(() => told).toContain('config: nothing to change')
  terminal.kill('SIGKILL')
  await expect.poll(() => [pid, ...children].filter(isAlive), { timeout: 10_000 }).toEqual([])
})

test('the same signal twice in a moment is one, as npm passes on what the terminal has sent already', async () => {
  const serving = stage.start(['serve', '--http', '127.0.0.1:0'])
  await serving.until(/echo {4}up/)
  const children = stop(serving, 'SIGINT')
  serving.child.kill('SIGINT')
  expect((await serving.done).code).toBe(0)
  await expect.poll(() => children.filter(isAlive)).toEqual([])
})

test('--stdio speaks the protocol on standard output and ends with its client', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'serve', '--stdio', '--config', `${stage.folder}/callboard.yaml`],
    env: { PATH: process.env.PATH ?? '', HOME: stage.folder, XDG_DATA_HOME: `${stage.folder}/data` },
    stderr: 'pipe',
  })
  let told = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    told += chunk.toString()
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map((tool) => tool.name).sort()).toEqual([
    'call_mcp_tool',
    'get_mcp_tool',
    'list_mcp_tools',
    'search_mcp_tools',
  ])
  const { pid } = transport
  await client.close()
  expect(told).toContain('starting')
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false)
})

test('--only offers one plugin under its own names', async () => {
  const serving = stage.start(['serve', '--only', 'echo', '--http', '127.0.0.1:0'])
  await serving.until(/echo {4}up/)
  const client = await connect(serving)
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo')
  await client.close()
  stop(serving, 'SIGTERM')
  const { stdout } = await serving.done
  expect(stdout).not.toContain('broken')
})

test('--only has no notes of names that clash, nor of other plugins', async () => {
  const echo = { mcp: fixtureCommand('echo-server'), prefix: 'same_' }
  const settings = { ...echo, tools: { drop: ['nothing'] } }
  const clashing = await createStage({ plugins: { echo, other: settings } })
  onTestFinished(() => clashing[Symbol.asyncDispose]())
  const all = clashing.start(['serve', '--http', '127.0.0.1:0'])
  await all.until(/note: the name "same_echo" would belong to several tools/)
  await all.until(/note: plugin "other": tools.drop "nothing" matches no tool/)
  stop(all, 'SIGTERM')
  await all.done
  const alone = clashing.start(['serve', '--only', 'echo', '--http', '127.0.0.1:0'])
  await alone.until(/echo +up/)
  stop(alone, 'SIGTERM')
  expect((await alone.done).stdout).not.toContain('note: ')
})

test('an address that is taken ends it with 78 and says what to do', async () => {
  const serving = stage.start(['serve', '--http', '127.0.0.1:0'])
  await serving.until(/echo {4}up/)
  const port = /127\.0\.0\.1:(\d+)/.exec(serving.written())?.[1]
  const second = await stage.run(['serve', '--http', `127.0.0.1:${port}`])
  expect(second.stderr).toContain(`cannot listen on 127.0.0.1:${port}`)
  expect(second.stdout).not.toContain('starting')
  expect(second.code).toBe(78)
})

test('without authentication no address beyond this machine is served', async () => {
  const { code, stderr } = await stage.run(['serve', '--http', '0.0.0.0:0'])
  expect(stderr).toContain('http.auth is none')
  expect(code).toBe(78)
})
