/**
 * Finds the config of a run and what a command needs of it before anything runs: its data folder, and whether it is
 * trusted.
 */
import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { Secrets } from '../secrets.ts'
import { type ConfigSource, openConfigFile } from './config-source.ts'
import { type ConfigNamer, findConfig } from './find-config.ts'
import { type SettledSource, settleSource } from './settle-source.ts'
import { TrustedConfigs, type TrustRecord } from './trusted-configs.ts'
import { type PluginIntent, whatRuns } from './what-runs.ts'

/** Where a run looks for its config. */
export interface ConfigPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The home folder; the user's own when absent. */
  readonly home?: string | undefined
}

/** A config that was found, and nothing of it was expanded but its data folder. */
export interface LocatedConfig extends ConfigTrust {
  readonly namedBy: ConfigNamer
  /** Absolute. */
  readonly dataDir: string
  /** What it would start and contact. */
  readonly runs: readonly PluginIntent[]
  /** Where its variables may come from besides the environment. */
  readonly envFile: string | undefined
}

/** Whether a config may run anything. */
export interface ConfigTrust {
  /** Absolute. */
  readonly file: string
  /** SHA-256 of the texts that decide what it runs: its own and, with its path, that of its envFile. */
  readonly digest: string
  /**
   * `needless`: it was named, or lies in the home config folder. `changed`: something else was trusted under this path.
   */
  readonly trust: 'needless' | 'trusted' | 'changed' | 'never'
}

/**
 * Looks `file` up, or the usual places without it. Throws `config` when there is none, or when it can't be read or its
 * data folder can't be told; never because it is not trusted.
 */
export function locateConfig(file: string | undefined, place: ConfigPlace): LocatedConfig {
  const { cwd, env, home = homedir() } = place
  const secrets = new Secrets()
  const source = openConfigFile(findConfig({ explicit: file, env, cwd, home }), secrets)
  const settled = settleSource(source, { env, home, secrets })
  source.problems.throwIfAny()
  const namedBy = namerOf(file, env)
  return {
    ...configTrust(source, settled, { named: namedBy !== 'nobody', env, home }),
    namedBy,
    dataDir: settled.dataDir,
    runs: whatRuns(source),
    envFile: settled.envFile?.path,
  }
}

/**
 * Whether the config at this path is the one that was trusted; `gone` when it is no more, `unreadable` when it can't be
 * told.
 */
export function trustNow(
  { file, digest }: TrustRecord,
  place: ConfigPlace,
): 'trusted' | 'changed' | 'gone' | 'unreadable' {
  if (!existsSync(file)) return 'gone'
  try {
    return locateConfig(file, place).digest === digest ? 'trusted' : 'changed'
  } catch {
    return 'unreadable'
  }
}

/** Who says which config to use: `--config` says `file`, or the environment names one. */
export function namerOf(file: string | undefined, env: ConfigPlace['env']): ConfigNamer {
  if (file !== undefined) return '--config'
  return (env.CALLBOARD_CONFIG ?? '') === '' ? 'nobody' : '$CALLBOARD_CONFIG'
}

/** What {@link locateConfig} says of the trust in a config that is open already. */
export function configTrust(
  source: ConfigSource,
  { envFile }: SettledSource,
  { named, env, home }: { readonly named: boolean; readonly env: ConfigPlace['env']; readonly home: string },
): ConfigTrust {
  const file = source.file ?? source.folder
  const digest = createHash('sha256')
    .update(JSON.stringify([source.text, envFile?.path ?? null, envFile?.text ?? null]))
    .digest('hex')
  if (named || isWithin(join(home, '.config', 'callboard'), dirname(file))) return { file, digest, trust: 'needless' }
  const known = new TrustedConfigs(env, home).find(file)
  return { file, digest, trust: known === undefined ? 'never' : known.digest === digest ? 'trusted' : 'changed' }
}

/** Whether a folder is another one or lies in it, links followed. */
function isWithin(outer: string, folder: string): boolean {
  const path = relative(realPathOf(outer), realPathOf(folder))
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
