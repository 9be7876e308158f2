import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadConfig } from '../packages/callboard/src/config/load-config.ts'
import { Secrets } from '../packages/callboard/src/secrets.ts'

const file = fileURLToPath(new URL('../examples/quickstart/callboard.yaml', import.meta.url))

test('the quickstart names three servers that are installed, and keeps its data out of the repository', () => {
  const config = loadConfig({ file, cwd: '/', env: {}, home: resolve('/home/ana'), secrets: new Secrets() })
  expect(config.notes).toEqual([])
  expect(config.plugins.map(({ id }) => id)).toEqual(['everything', 'filesystem', 'memory'])
  for (const plugin of config.plugins) {
    if (plugin.kind !== 'mcp' || plugin.mcp.transport !== 'stdio') throw new Error(`${plugin.id} is no process`)
    expect(plugin.mcp.cwd).toBe(dirname(file))
    for (const arg of plugin.mcp.args) {
      if (arg !== 'stdio') expect(existsSync(resolve(plugin.mcp.cwd, arg)), arg).toBe(true)
    }
    for (const path of Object.values(plugin.mcp.env)) expect(path.startsWith(config.dataDir)).toBe(true)
  }
  expect(config.dataDir.startsWith(resolve('/home/ana'))).toBe(true)
})
