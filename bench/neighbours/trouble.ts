/** Four servers that misbehave behind the same Callboard as a good one, and what their callers do to make them. */
import { setTimeout as delay } from 'node:timers/promises'
import { fixtureCommand } from '../../test/fixtures/fixture.ts'
import { callHeaders, type Era } from '../gateway/wire.ts'

const ERA: Era = 'modern'
const MEGABYTE = 1024 * 1024

/** The bad four, as `plugins` of a config has them. */
export const BAD_PLUGINS: Readonly<Record<string, unknown>> = {
  crashing: { mcp: fixtureCommand('echo-server') },
  hanging: { mcp: fixtureCommand('stuck-server'), timeout: '2s' },
  flooding: { mcp: fixtureCommand('echo-server') },
  giant: { mcp: fixtureCommand('echo-server') },
}

/** A caller calls this again, so long after the answer. */
interface Habit {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly pauseMs: number
  readonly callers: number
}

const HABITS: readonly Habit[] = [
  { tool: 'crashing_exit', args: { code: 1 }, pauseMs: 100, callers: 1 },
  { tool: 'hanging_hang', args: {}, pauseMs: 10, callers: 8 },
  { tool: 'flooding_noise', args: { lines: 2_000 }, pauseMs: 100, callers: 1 },
  { tool: 'giant_big', args: { bytes: MEGABYTE }, pauseMs: 250, callers: 1 },
]

/** Calls one tool and answers with the length of the answer, whatever it says. */
export async function callOnce(url: string, tool: string, args: Habit['args'], signal: AbortSignal): Promise<number> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: tool, arguments: args, _meta: meta }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...callHeaders(ERA, tool, undefined),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal,
  })
  return (await response.arrayBuffer()).byteLength
}

/** Lets the bad four do their worst at `url` until the returned function is called, which resolves when all is quiet. */
export function makeTrouble(url: string): () => Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const loops = HABITS.flatMap((habit) => Array.from({ length: habit.callers }, () => keepCalling(url, habit, signal)))
  return async () => {
    controller.abort()
    await Promise.all(loops)
  }
}

async function keepCalling(url: string, { tool, args, pauseMs }: Habit, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      await callOnce(url, tool, args, signal)
      await delay(pauseMs, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
