/** Runs what docs/permissions.md shows: its commands with its config; its application has a test of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { connectLines } from '../packages/callboard/src/surfaces/cli/connect-lines.ts'
import { createStage, ROOT } from './cli/run-command.ts'
import { fixtureCommand } from './fixtures/fixture.ts'

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

  test('its application is the one of the examples, which runs in a test of its own', () => {
    expect(blocks('ts')).toEqual([readFileSync(join(ROOT, 'examples/embed/users.ts'), 'utf8')])
  })
})
