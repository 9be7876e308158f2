/** Makes what is published: each package compiled into its own `dist`, which is a complete package folder. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** `./src/x.ts` in the repository is `./x.js` in the published package. */
function published(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^\.\/src\/(.*)\.ts$/, './$1.js')
  if (Array.isArray(value)) return value.map(published)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, published(inner)]))
}

/** Files that the code reads, beside it. */
const DATA = { sdk: [], callboard: ['catalog/search/word-vectors.bin'] }

function build(name: keyof typeof DATA): void {
  const from = join(root, 'packages', name)
  const to = join(from, 'dist')
  rmSync(to, { recursive: true, force: true })
  const config = join(from, 'tsconfig.build.json')
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../../tsconfig.build.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist' },
      include: ['src'],
      exclude: ['src/**/*.test.ts', 'src/**/testing/**'],
    }),
  )
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
  } finally {
    rmSync(config)
  }
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Record<string, unknown>
  manifest.exports = published(manifest.exports)
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const legal of ['LICENSE', 'NOTICE']) cpSync(join(root, legal), join(to, legal))
  for (const data of DATA[name]) cpSync(join(from, 'src', data), join(to, data))
  for (const extra of ['README.md', 'bin', 'proto', 'callboard.schema.json', 'plugin.schema.json']) {
    if (existsSync(join(from, extra))) cpSync(join(from, extra), join(to, extra), { recursive: true })
  }
}

build('sdk')
build('callboard')
