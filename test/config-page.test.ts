import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { jsonSchema } from '../packages/callboard/src/config/json-schema.ts'
import { testFolder } from '../packages/callboard/src/config/testing/test-folder.ts'

const page = readFileSync(new URL('../docs/config.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^```(yaml|json)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))

describe('docs/config.md', () => {
  test('has examples', () => {
    expect(examples.map(({ language }) => language)).toEqual(['yaml', 'yaml', 'yaml', 'yaml', 'yaml', 'json'])
  })

  test.each(examples)('its $language example loads: $text', ({ language, text }) => {
    const folder = testFolder()
    folder.write('.env', 'GITHUB_TOKEN=a\nDOCS_TOKEN=b\nDOCS_KEY=c\n')
    const config = folder.load(text, { DOCS_KEY: 'c' }, language === 'json' ? '.mcp.json' : 'callboard.yaml')
    expect(config.plugins.length).toBeGreaterThan(0)
    expect(config.notes).toEqual([])
  })

  test('names every key that there is', () => {
    const missing = keysOf(jsonSchema()).filter((key) => !new RegExp(`\`(?:\\w+\\.)?${key}[\`.:]`).test(page))
    expect(missing).toEqual(['$schema'])
  })
})

function keysOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? [...Object.keys(value), ...keysOf(Object.values(value))] : keysOf(value),
  )
}
