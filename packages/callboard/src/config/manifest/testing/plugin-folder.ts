/** A folder of a plugin for one test, with its manifest read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ManifestReading, readManifest } from '../read-manifest.ts'

class PluginFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'callboard-manifest-'))

  /** Writes a file and gives its path. */
  write(name: string, content: string | Uint8Array): string {
    const file = join(this.path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }

  /** Reads a manifest of this text. */
  read(text: string | Uint8Array, name = 'plugin.yaml'): Promise<ManifestReading> {
    this.write(name, text)
    return readManifest(this.path)
  }

  /** What is found in a manifest of this text: `line:column rule: message` each, notes with `note` before the rule. */
  async found(text: string | Uint8Array, name?: string): Promise<string[]> {
    const { findings } = await this.read(text, name)
    return findings.map(
      ({ line, column, level, rule, message }) =>
        `${line}:${column} ${level === 'note' ? 'note ' : ''}${rule}: ${message}`,
    )
  }
}

/**
 * A new folder with the modules `echo.ts` and `tools.ts`, and two that export `then`, which goes when the running test
 * ends.
 */
export function pluginFolder(): PluginFolder {
  const folder = new PluginFolder()
  onTestFinished(() => rmSync(folder.path, { recursive: true, force: true }))
  folder.write('echo.ts', 'export default function echo() {}\n')
  folder.write('tools.ts', 'export const echo = () => {}\nexport function $shout() {}\n')
  folder.write('then.ts', 'export default () => 1\nexport async function then() {}\n')
  folder.write('listed-then.ts', 'const x = () => {}\nexport { x as default, x as then }\n')
  return folder
}
