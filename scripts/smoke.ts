/** Runs the README's main job as it is written, makes one call through it, ends it with Ctrl-C, and looks for children left behind. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const url = 'http://127.0.0.1:2255/mcp'
const plugins = ['everything', 'filesystem', 'memory']

/** The ids of all processes below `pid`, from /proc. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // The process ended while it was looked at.
    }
  }
  const below = [pid]
  for (const parent of below) for (const [child, of] of parents) if (of === parent) below.push(child)
  return below.slice(1)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when everything printed so far satisfies `enough`. */
async function until(enough: (printed: string) => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!enough(printed)) {
    assert(
      Date.now() < deadline && job.exitCode === null,
      `the main job did not print ${what}; it printed:\n${printed}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

let printed = ''
const started = performance.now()
// dash ends by the signal itself and hides how the host ended; bash lets the host take its place.
const job = spawn('npm', ['start', '--script-shell', 'bash'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
assert(job.pid !== undefined, 'npm start could not be run')
job.stdout.on('data', (chunk) => {
  printed += chunk
})
job.stderr.on('data', (chunk) => {
  printed += chunk
})
const exited = new Promise<number | null>((resolve) => job.once('exit', resolve))
try {
  await until((text) => text.includes(url), 'its address')
  const seconds = (performance.now() - started) / 1000
  assert(seconds < 2, `the address and a line for each plugin should be there within two seconds, not ${seconds}`)
  assert(
    plugins.every((id) => new RegExp(`${id} +(starting|up)`).test(printed)),
    'a line for each plugin',
  )
  await until((text) => plugins.every((id) => new RegExp(`${id}.*\\d+ tools`).test(text)), 'that every plugin is up')
  const client = new Client({ name: 'smoke', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const answer = await client.callTool({
    name: 'call_mcp_tool',
    arguments: { tool_name: 'everything_echo', arguments: { message: 'hello' } },
  })
  assert.deepEqual(answer.content, [{ type: 'text', text: 'Echo: hello' }])
  await client.close()
  await until((text) => /plugin:everything:echo {2}ok {2}/.test(text), 'a line for the call')
  const children = descendants(job.pid)
  assert(children.length > plugins.length, 'the servers should be running below the main job')
  process.kill(-job.pid, 'SIGINT')
  assert.equal(await exited, 0, 'Ctrl-C should end the main job with 0')
  const left = children.filter(alive)
  assert.deepEqual(left, [], `left behind: ${left.join(', ')}`)
  console.log(`main job: address after ${seconds.toFixed(1)} s, one call made, stopped with nothing left behind`)
} catch (error) {
  console.error(printed)
  if (job.exitCode === null && job.signalCode === null) process.kill(-job.pid, 'SIGKILL')
  throw error
}
