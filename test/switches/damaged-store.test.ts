/** A damaged store switches nothing on again: every command and the host refuse to start. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStage } from '../cli/run-command.ts'

test.each([[['list']], [['doctor']], [['users', 'list']], [['serve']]])(
  '%j ends with 78, and names the file and the mend',
  async (words) => {
    const stage = await createStage({ dataDir: './data', plugins: {} })
    onTestFinished(() => stage[Symbol.asyncDispose]())
    expect((await stage.run(['list'])).code).toBe(0)
    const file = join(stage.folder, 'data', 'callboard.sqlite')
    writeFileSync(file, 'no database')
    const { code, stderr } = await stage.run(words)
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(`the store "${file}" is damaged (file is not a database)`),
    ])
    expect(stderr).toContain('users, roles, tokens and switches')
  },
)
