/** Settles what the rest of a config may refer to, before the rest is looked at: its variables and its data folder. */
import { parseEnv } from 'node:util'
import { messageOf } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { ConfigSource } from './config-source.ts'
import { defaultDataDir, pathFrom } from './data-dir.ts'
import { type ExpandScope, expandTree } from './expand-tree.ts'
import { childOf } from './source-node.ts'
import { readEnvText, variablesOf } from './variables.ts'

export interface ExpandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly secrets: Secrets
  /** Is told of the envFile before it is read. */
  readonly opened?: ((file: string) => void) | undefined
}

/** What is known of a config before it is expanded. */
export interface SettledSource {
  /** What its values are expanded with. */
  readonly scope: ExpandScope
  /** Absolute. */
  readonly dataDir: string
  /** The envFile that it names: absolute, with its text, which is '' where it cannot be read. */
  readonly envFile: { readonly path: string; readonly text: string } | undefined
  /** The two keys as they are after expansion, for the checks of the whole. */
  readonly values: { readonly envFile: unknown; readonly dataDir: unknown }
}

/** Reads the envFile, if there is one, and nothing else. What is wrong is added to the source's problems. */
export function settleSource(source: ConfigSource, { env, home, secrets, opened }: ExpandOptions): SettledSource {
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
  const written = expandKey('envFile', root, scope)
  const envPath = typeof written === 'string' ? pathFrom(folder, home, written) : undefined
  if (envPath !== undefined) opened?.(envPath)
  const envFile = envPath === undefined ? undefined : envFileAt(envPath, source)
  const variables = variablesOf(env, parseEnv(envFile?.text ?? ''))
  const dataDir = expandKey('dataDir', root, { ...scope, variables })
  const settled =
    typeof dataDir === 'string' && dataDir !== ''
      ? pathFrom(folder, home, dataDir)
      : defaultDataDir(source.file ?? folder, env, home)
  const folders = new Map([...scope.folders, ['dataDir', settled]])
  return {
    scope: { ...scope, variables, folders },
    dataDir: settled,
    envFile,
    values: { envFile: written, dataDir },
  }
}

function expandKey(key: string, root: ConfigSource['root'], scope: ExpandScope): unknown {
  const node = childOf(root, key)
  return node === undefined ? undefined : expandTree(node, [key], scope)
}

function envFileAt(path: string, { problems, root }: ConfigSource): SettledSource['envFile'] {
  try {
    return { path, text: readEnvText(path) }
  } catch (thrown) {
    const why = messageOf(thrown)
    problems.add(
      childOf(root, 'envFile')?.start ?? 0,
      () => `envFile: ${path} cannot be read (${why}); correct the path`,
    )
    return { path, text: '' }
  }
}
