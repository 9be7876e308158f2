/** A damaged store switches nothing on again: every command and the host refuse to start. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStage } from '../cli/run-command.ts'

test.each([[['list']], [['doctor']], [['serve']]])(
  '%j ends with 78, and names the file and the mend',
  async (words) => {
    const stage = await createStage({ dataDir: './data', plugins: {} })
    onTestFinished(() => stage[Symbol.asyncDispose]())
    const file = join(stage.folder, 'data', 'callboard.sqlite')
    mkdirSync(join(stage.folder, 'data'), { mode: 0o700 })
    writeFileSync(file, 'no database')
    const { code, stderr } = await stage.run(words)
    expect(stderr).toContain(`the store "${file}" is damaged (file is not a database)`)
    expect(stderr).toContain('users, roles, tokens and switches')
    expect(code).toBe(78)
  },
  60_000,
)
