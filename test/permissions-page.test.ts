/** Runs what docs/permissions.md shows: its commands with its config, and its application. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { connectLines } from '../packages/callboard/src/surfaces/cli/connect-lines.ts'
import { createStage, ROOT } from './cli/run-command.ts'
import { fixtureCommand } from './fixtures/fixture.ts'
import { initialize, modernCall, raw } from './http/surface.ts'

const page = readFileSync(join(ROOT, 'docs/permissions.md'), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1] ?? '')

/** The output of a command as a pattern: ids and secrets of tokens, and times, are others each time. */
function patternOf(output: string): RegExp {
  const escaped = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^${escaped
      .replace(/callboard_[0-9a-f]{8}_[0-9a-f]{6}…/g, 'callboard_[0-9a-f]{8}_[0-9a-f]{64}')
      .replace(/\t[0-9a-f]{8}\t/g, '\t[0-9a-f]{8}\t')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d')}$`,
  )
}

function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s']+|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''))
}

describe('docs/permissions.md', () => {
  test('its commands give what it says', { timeout: 60_000 }, async () => {
    const [config = ''] = blocks('yaml')
    const { plugins, ...rest } = parse(config)
    const mcp = { ...plugins.github.mcp, ...fixtureCommand('issues-server'), env: {} }
    await using stage = await createStage({ ...rest, plugins: { github: { mcp } } })
    const examples = blocks('console').flatMap((block) => block.split(/^\$ callboard /m).slice(1))
    expect(examples.length).toBeGreaterThanOrEqual(8)
    for (const example of examples) {
      const [command = '', ...output] = example.split('\n')
      const { stdout, code } = await stage.run(wordsOf(command))
      expect([command, code, stdout]).toEqual([command, 0, expect.stringMatching(patternOf(output.join('\n')))])
    }
  })

  test('connects clients as `callboard serve` says', () => {
    for (const [name, line] of connectLines('http://127.0.0.1:2255/mcp', 'tokens')) {
      const shown = name === 'Cursor' ? line.slice(line.indexOf('{')) : line
      expect(page).toContain(`\`${shown}\``)
    }
  })

  test('its application serves its own users, and nobody else', { timeout: 60_000 }, async () => {
    const file = join(ROOT, 'examples/own-users/server.ts')
    expect(blocks('ts')).toEqual([readFileSync(file, 'utf8')])
    const data = mkdtempSync(join(tmpdir(), 'callboard-own-users-'))
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: '0', XDG_DATA_HOME: data },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      rmSync(data, { recursive: true, force: true })
    })
    const [line] = await once(child.stdout, 'data')
    const url = `http://127.0.0.1:${JSON.parse(String(line).replace('listening: ', '')).port}/mcp`
    const call = async (session: string, name: string, args: Record<string, unknown>) => {
      const { headers, ...request } = modernCall(name, args)
      const { text } = await raw(url, { ...request, headers: { ...headers, authorization: `Bearer ${session}` } })
      return JSON.parse(text)
    }
    const sum = (a: number) => call('session-of-ana', 'everything_get-sum', { a, b: 1 })
    expect((await raw(url, { body: initialize })).status).toBe(401)
    expect((await sum(2)).result.content).toEqual([{ type: 'text', text: 'The sum of 2 and 1 is 3.' }])
    expect((await sum(200)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('sums begin below 100 here') }],
    })
    expect((await call('session-of-ben', 'everything_get-sum', { a: 2, b: 1 })).error.code).toBe(-32602)
    expect((await call('session-of-ben', 'everything_echo', { message: 'hi' })).result).toBeDefined()
  })
})
