/** The files of a new plugin: a manifest, an action, a test of it, and what npm wants to know. */
import { rootOf } from '../../../tools/permission-root.ts'
import { version } from '../../../version.ts'

export interface PluginFiles {
  /** The declared name of its tool. */
  readonly tool: string
  /** Texts by name, in the order in which a person would read them. */
  readonly files: ReadonlyMap<string, string>
}

/** The files of a plugin with this id, `vendor/name`. */
export function pluginFiles(id: string): PluginFiles {
  const prefix = `${rootOf(id)}.${partOf(id.slice(id.indexOf('/') + 1))}`
  const tool = `${prefix}.echo`
  return {
    tool,
    files: new Map([
      ['plugin.yaml', manifestText(id, prefix)],
      ['echo.ts', ACTION],
      ['echo.test.ts', testText(prefix)],
      ['package.json', packageText(id)],
    ]),
  }
}

/** One part of the name of a tool, which begins with a letter and has no other sign than `_`. */
function partOf(name: string): string {
  const part = name.replace(/[^a-z0-9]/g, '_')
  return /^[a-z]/.test(part) ? part : `n${part}`
}

function manifestText(id: string, prefix: string): string {
  const title = id.slice(id.indexOf('/') + 1)
  return `# yaml-language-server: $schema=./node_modules/callboard/plugin.schema.json
package: ${id}
name: '${title.charAt(0).toUpperCase()}${title.slice(1)}'
version: 0.1.0
permissions: [${prefix}.view]
tools:
  - name: ${prefix}.echo
    title: Echo
    description: Say a message back to the user who sent it
    action: ./echo.ts
    permission: ${prefix}.view
    read_only: true
    args:
      - { name: message, type: string, required: true, description: What to say back }
`
}

const ACTION = `/** Says a message back to the user who sent it. */
import type { ToolContext } from '@callboard/sdk'

export default function echo({ message }: { message: string }, { user }: ToolContext): string {
  return \`\${user} says: \${message}\`
}
`

function testText(prefix: string): string {
  return `import { test } from 'node:test'
import { testPlugin } from '@callboard/sdk/testing'
import { loadPlugin } from 'callboard'

const kit = testPlugin(await loadPlugin(import.meta.dirname), { users: { ana: ['${prefix}.*'], ben: [] } })

test('a message is said back to who sent it', async () => {
  const run = await kit.call('${prefix}.echo', { message: 'hi' }, { user: 'ana' })
  run.assertText('ana says: hi')
})

test('without the permission nothing is said', async () => {
  const run = await kit.call('${prefix}.echo', { message: 'hi' }, { user: 'ben' })
  run.assertDenied()
})
`
}

function packageText(id: string): string {
  const manifest = {
    name: `@${id}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: { check: 'callboard plugin check .', test: 'node --test' },
    devDependencies: { '@callboard/sdk': `^${version}`, callboard: `^${version}` },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}
