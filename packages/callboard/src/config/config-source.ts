/** One config as it was given, by file or as data: its values with their places, its folder, and its problems. */
import { basename, dirname } from 'node:path'
import { CallboardError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { SERVER_KEYS } from './client-server.ts'
import { parseJson } from './parse-json.ts'
import { MAX_YAML_BYTES, parseYaml } from './parse-yaml.ts'
import { Problems } from './problems.ts'
import { readText } from './read-text.ts'
import type { Scalar, SourceEntry, SourceNode } from './source-node.ts'

/** Some clients keep their whole state in the file that names their servers. */
const MAX_JSON_BYTES = 8 * 1024 * 1024
const MAX_DEPTH = 64

export interface ConfigSource {
  /** Absolute; undefined for data. */
  readonly file: string | undefined
  /** What relative paths are relative to. */
  readonly folder: string
  /** '' for data. */
  readonly text: string
  readonly root: SourceNode & { readonly kind: 'map' }
  readonly problems: Problems
  /** What of the file is not read, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Opens a file. Throws `config` when it cannot be read or is not YAML (JSON, for a name that ends in .json or .jsonc).
 */
export function openConfigFile(file: string, secrets: Secrets): ConfigSource {
  const json = /\.jsonc?$/i.test(file)
  const text = readText(file, json ? MAX_JSON_BYTES : MAX_YAML_BYTES)
  const problems = new Problems(file, text, secrets)
  const root = json ? parseJson(text, problems) : parseYaml(text, problems)
  const folder = dirname(file)
  const source = { file, folder, text, root: asMap(root, problems), problems, notes: [] }
  return json && isClientFile(source.root) ? clientSource(source, file) : source
}

/** Opens a config that a program made. Relative paths are relative to `cwd`. */
export function openConfigData(data: unknown, cwd: string, secrets: Secrets): ConfigSource {
  const problems = new Problems('config', '', secrets)
  return { file: undefined, folder: cwd, text: '', root: asMap(fromData(data, 0), problems), problems, notes: [] }
}

function asMap(root: SourceNode | undefined, problems: Problems): ConfigSource['root'] {
  if (root !== undefined && root.kind !== 'map') {
    problems.add(root.start, () => 'expected a mapping of keys such as `plugins:` at the top')
  }
  problems.throwIfAny()
  if (root?.kind !== 'map') throw new CallboardError('internal', 'a document was neither read nor refused')
  return root
}

function isClientFile(root: ConfigSource['root']): boolean {
  const keys = root.entries.map((entry) => entry.key)
  return keys.some((key) => SERVER_KEYS.includes(key)) && !keys.includes('plugins')
}

/** Of a client's file only the servers are read: whatever else stands in it is the client's own. */
function clientSource(source: ConfigSource, file: string): ConfigSource {
  const isServers = (entry: SourceEntry): boolean => SERVER_KEYS.includes(entry.key)
  const servers = source.root.entries.filter(isServers).map((entry) => ({ ...entry, key: 'mcpServers' }))
  const others = source.root.entries.filter((entry) => !isServers(entry) && entry.key !== '$schema')
  const names = others.slice(0, 10).map((entry) => `\`${entry.key.slice(0, 40)}\``)
  const note = `only the servers of ${file} are read, not ${names.join(', ')}; use callboard.yaml for more`
  return {
    ...source,
    folder: workspaceOf(source.folder),
    root: { ...source.root, entries: servers },
    notes: others.length === 0 ? [] : [note],
  }
}

/** VS Code and Cursor keep their file in a folder of the workspace and mean the workspace by a relative path. */
function workspaceOf(folder: string): string {
  return ['.vscode', '.cursor'].includes(basename(folder)) ? dirname(folder) : folder
}

function fromData(data: unknown, depth: number): SourceNode {
  const place = { start: 0, end: 0 }
  if (depth > MAX_DEPTH) {
    throw new CallboardError('config', 'config: nested too deeply; a config needs no more than a few levels')
  }
  if (Array.isArray(data)) return { kind: 'list', ...place, items: data.map((item) => fromData(item, depth + 1)) }
  if (typeof data === 'object' && data !== null) {
    const given = Object.entries(data).filter(([, value]) => value !== undefined)
    const entries = given.map(([key, value]) => ({ key, keyStart: 0, value: fromData(value, depth + 1) }))
    return { kind: 'map', ...place, entries }
  }
  return { kind: 'scalar', ...place, value: scalarOf(data) }
}

function scalarOf(data: unknown): Scalar {
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' || data === null) return data
  throw new CallboardError('config', `config: a ${typeof data} cannot be part of a config; give plain data`)
}
