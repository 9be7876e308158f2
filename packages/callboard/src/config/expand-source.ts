/** Expands a whole config: first its envFile and data folder, which the rest may refer to. */

import { messageOf } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { ConfigSource } from './config-source.ts'
import { defaultDataDir, pathFrom } from './data-dir.ts'
import { type ExpandScope, expandTree } from './expand-tree.ts'
import { childOf, type SourceEntry, type SourceNode } from './source-node.ts'
import { readEnvFile, variablesOf } from './variables.ts'

export interface ExpandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly secrets: Secrets
}

/** A config's plain values, and the data folder that they settle. */
export interface ExpandedConfig {
  readonly values: Readonly<Record<string, unknown>>
  /** Absolute. */
  readonly dataDir: string
}

/** What is wrong is added to the source's problems. */
export function expandSource(source: ConfigSource, { env, home, secrets }: ExpandOptions): ExpandedConfig {
  const { folder, problems, text, root } = source
  const scope: ExpandScope = {
    text,
    problems,
    secrets,
    variables: variablesOf(env, {}),
    folders: new Map([['configDir', folder]]),
    clientFolders: new Map([
      ['workspaceFolder', folder],
      ['userHome', home],
    ]),
  }
  const envFile = expandKey('envFile', root, scope)
  const variables = variablesOf(env, typeof envFile === 'string' ? envOf(pathFrom(folder, home, envFile), source) : {})
  const written = expandKey('dataDir', root, { ...scope, variables })
  const dataDir =
    typeof written === 'string' && written !== ''
      ? pathFrom(folder, home, written)
      : defaultDataDir(source.file ?? folder, env, home)
  const folders = new Map([...scope.folders, ['dataDir', dataDir]])
  const rest = { ...root, entries: root.entries.map(withoutSettled) }
  const values = expandTree(rest, [], { ...scope, variables, folders })
  return { values: { ...(isRecord(values) ? values : {}), envFile, dataDir: written }, dataDir }
}

function expandKey(key: string, root: SourceNode, scope: ExpandScope): unknown {
  const node = childOf(root, key)
  return node === undefined ? undefined : expandTree(node, [key], scope)
}

// The key stays, so that one that stands twice is still found.
function withoutSettled(entry: SourceEntry): SourceEntry {
  if (entry.key !== 'envFile' && entry.key !== 'dataDir') return entry
  return { ...entry, value: { kind: 'scalar', start: entry.value.start, end: entry.value.end, value: null } }
}

function envOf(path: string, { problems, root }: ConfigSource): Readonly<Record<string, string | undefined>> {
  try {
    return readEnvFile(path)
  } catch (thrown) {
    const why = messageOf(thrown)
    problems.add(
      childOf(root, 'envFile')?.start ?? 0,
      () => `envFile: ${path} cannot be read (${why}); correct the path`,
    )
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
