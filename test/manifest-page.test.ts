import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { manifestJsonSchema } from '../packages/callboard/src/config/manifest/manifest-json-schema.ts'
import { readManifest } from '../packages/callboard/src/config/manifest/read-manifest.ts'
import { RULES } from '../packages/callboard/src/config/manifest/rules.ts'
import { createStage } from './cli/run-command.ts'

const page = readFileSync(new URL('../docs/manifest.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```(yaml|console)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const manifests = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text)
const [hello = '', , , bad = ''] = manifests

/** A folder with these plugins, each with the code that the page's examples name. */
function folderOf(plugins: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(plugins)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'plugin.yaml'), text)
    writeFileSync(join(folder, name, 'echo.ts'), 'export default () => {}\n')
  }
  return folder
}

describe('docs/manifest.md', () => {
  test('has its examples', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['yaml', 'console', 'yaml', 'yaml', 'yaml', 'console'])
  })

  test.each(manifests.slice(0, -1))('its manifest has no faults: %s', async (text) => {
    const { findings } = await readManifest(join(folderOf({ plugin: text }), 'plugin'))
    expect(findings).toEqual([])
  })

  test('what the commands print is what they print', async () => {
    const folder = folderOf({ hello, bad })
    await using stage = await createStage({})
    for (const { text } of blocks.filter(({ language }) => language === 'console')) {
      const [, words = '', output = ''] = /^\$ callboard (.*)\n([\s\S]*)$/.exec(text) ?? []
      const { stdout, code } = await stage.start(words.split(' '), { cwd: folder }).done
      expect(stdout).toBe(output)
      expect(code).toBe(output.includes(' error ') ? 1 : 0)
    }
  })

  test('lists every rule with its level, and no other', () => {
    const rows = [...page.matchAll(/^\| `([a-z._]+)` +\| (error|note) +\| ([^|]+) \| ([^|]+) \|$/gm)]
    expect(Object.fromEntries(rows.map(([, rule, level]) => [rule, level]))).toEqual(RULES)
    expect(rows.length).toBe(Object.keys(RULES).length)
    for (const [, rule, , means = '', mend = ''] of rows)
      expect({ rule, isExplained: means.trim() !== '' && mend.trim() !== '' }).toEqual({ rule, isExplained: true })
  })

  test('names every key that there is', () => {
    const missing = keysOf(manifestJsonSchema()).filter((key) => !page.includes(`\`${key}\``))
    expect(missing).toEqual([])
  })
})

function keysOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? [...Object.keys(value), ...keysOf(Object.values(value))] : keysOf(value),
  )
}
