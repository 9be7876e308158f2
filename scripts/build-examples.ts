/**
 * Builds the plugins of examples/external whose toolchain is there, and says which are left out; the tests skip those. With `--all`
 * it fails where one is left out.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples', 'external')
const proto = join(root, 'packages', 'sdk', 'proto')

type Command = readonly [program: string, ...words: string[]]

interface Example {
  readonly folder: string
  readonly needs: string
  /** Ends with 0 where the toolchain is there, and new enough. */
  readonly probe: Command
  readonly steps: readonly Command[]
}

const PYTHON = join('.venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python')
const EXAMPLES: readonly Example[] = [
  {
    folder: 'go',
    needs: 'Go 1.26',
    probe: ['go', 'list', '-m'],
    steps: [
      ['buf', 'generate', proto, '--template', 'buf.gen.yaml'],
      ['go', 'vet', './...'],
      ['go', 'build', '-o', 'plugin', '.'],
      ['go', 'build', '-o', 'orchestra-plugin', './orchestra'],
    ],
  },
  {
    folder: 'python',
    needs: 'Python 3.11 with venv',
    probe: ['python3', '-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'],
    steps: [
      ['python3', '-m', 'venv', '.venv'],
      [PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
      [PYTHON, '-m', 'grpc_tools.protoc', '-I', proto, '--python_out=.', 'plugin.proto'],
    ],
  },
]

function isThere({ folder, probe: [program, ...words] }: Example): boolean {
  try {
    execFileSync(program, words, { cwd: join(examples, folder), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

for (const example of EXAMPLES) {
  if (!isThere(example)) {
    console.log(`examples/external/${example.folder} is left out: it needs ${example.needs}`)
    if (process.argv.includes('--all')) process.exitCode = 1
    continue
  }
  for (const [program, ...words] of example.steps)
    execFileSync(program, words, { cwd: join(examples, example.folder), stdio: 'inherit' })
  console.log(`examples/external/${example.folder} is built`)
}
