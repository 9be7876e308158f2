/** Generates the code of the external protocol from its .proto (`--check`: says whether what is committed is that code). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sdk = join(import.meta.dirname, '..', 'packages', 'sdk')
const proto = join(sdk, 'proto')
const generated = join('src', 'external', 'protocol', 'generated')

function buf(...words: readonly string[]): void {
  execFileSync('buf', words, { stdio: 'inherit' })
}

function generateInto(folder: string): void {
  buf('generate', proto, '--template', join(proto, 'buf.gen.yaml'), '-o', folder)
}

/** The files in a folder, with their text. */
function contents(folder: string): string {
  return JSON.stringify(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

if (process.argv.includes('--check')) {
  buf('lint', proto)
  const fresh = mkdtempSync(join(tmpdir(), 'protocol-'))
  try {
    generateInto(fresh)
    if (contents(join(fresh, generated)) !== contents(join(sdk, generated))) {
      console.error(`${generated} is not what packages/sdk/proto gives; run \`npm run protocol\``)
      process.exitCode = 1
    }
  } finally {
    rmSync(fresh, { recursive: true })
  }
} else generateInto(sdk)
