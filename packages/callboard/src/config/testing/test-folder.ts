/** A folder of its own for one test, and the config in it loaded with nothing of this machine's environment. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CallboardError } from '../../errors.ts'
import { Secrets } from '../../secrets.ts'
import type { Config } from '../config.ts'
import { loadConfig } from '../load-config.ts'

type Env = Readonly<Record<string, string>>

class TestFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'callboard-config-'))
  readonly secrets: Secrets = new Secrets()

  /** Writes a file and gives its path. */
  write(name: string, content: string | Uint8Array): string {
    const file = join(this.path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  /** Loads a config of this text; its name decides the language. */
  load(text: string, env: Env = {}, name = 'callboard.yaml'): Config {
    const file = this.write(name, text)
    return loadConfig({ file, cwd: this.path, env, home: join(this.path, 'home'), secrets: this.secrets })
  }

  /** The lines of what is wrong with a config, without the path of its file; empty when nothing is. */
  faults(text: string, env: Env = {}, name = 'callboard.yaml'): string[] {
    try {
      this.load(text, env, name)
      return []
    } catch (thrown) {
      if (!(thrown instanceof CallboardError) || thrown.code !== 'config') throw thrown
      return thrown.message.split('\n').map((line) => line.replaceAll(`${join(this.path, name)}:`, '').trim())
    }
  }
}

/** A new folder, which goes when the running test ends. */
export function testFolder(): TestFolder {
  const folder = new TestFolder()
  onTestFinished(() => rmSync(folder.path, { recursive: true, force: true }))
  return folder
}
