/** Loads the config of a run: finds it, reads it, expands it, checks it, and fills in every default. */
import { homedir } from 'node:os'
import { Secrets } from '../secrets.ts'
import { buildConfig } from './build-config.ts'
import type { Config } from './config.ts'
import { type ConfigSource, openConfigData, openConfigFile } from './config-source.ts'
import { expandSource } from './expand-source.ts'
import { type ConfigNamer, findConfig } from './find-config.ts'
import { configTrust, namerOf } from './locate-config.ts'
import { requireTrust } from './require-trust.ts'
import { settleSource } from './settle-source.ts'
import { TrustedConfigs } from './trusted-configs.ts'

export interface LoadOptions {
  /** A callboard.yaml or a client's mcp.json. Absent: `$CALLBOARD_CONFIG` and the usual places are looked through. */
  readonly file?: string | undefined
  /**
   * Who named `file`, for its errors; the caller when absent. One that `nobody` named, because a look-up found it
   * before, is trusted, or refused.
   */
  readonly namedBy?: ConfigNamer | undefined
  /** A config that a program made, in the shape of callboard.yaml; no file is looked for then. */
  readonly data?: unknown
  /** Where to look for a config, and what the paths of `data` are relative to; the current folder when absent. */
  readonly cwd?: string
  /** For `${…}`; the process's own when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The home folder; the user's own when absent. */
  readonly home?: string | undefined
  /** Is given every secret that the config holds or that a variable brought into it; a new one when absent. */
  readonly secrets?: Secrets
  /**
   * Is told of each file that decides about the config before it is read, by its absolute path; also of those that are
   * not there.
   */
  readonly opened?: ((file: string) => void) | undefined
}

/**
 * Reads at most the config, its envFile and the env files of clients' entries; starts nothing. Throws one
 * CallboardError of code `config` that names everything that is wrong, each with file, line and column, and shows no
 * secret; and one for a config that was only come across, in the working folder, and that is not trusted as it is now
 * (`callboard trust`).
 */
export function loadConfig(options: LoadOptions = {}): Config {
  const { file, data, opened = () => {} } = options
  const { cwd = process.cwd(), env = process.env, home = homedir(), secrets = new Secrets() } = options
  const { namedBy = file === undefined ? namerOf(file, env) : '`file`' } = options
  const open = (path: string): ConfigSource => {
    opened(path)
    return openConfigFile(path, secrets)
  }
  const source =
    data === undefined
      ? open(findConfig({ explicit: file, namedBy, env, cwd, home }))
      : openConfigData(data, cwd, secrets)
  const settled = settleSource(source, { env, home, secrets, opened })
  if (source.file !== undefined) {
    const named = namedBy !== 'nobody'
    if (!named) opened(new TrustedConfigs(env, home).recordFile(source.file))
    // One that is wrong is run by nobody who trusts it either, and says all of that.
    if (source.problems.isEmpty) requireTrust(configTrust(source, settled, { named, env, home }))
  }
  const expanded = expandSource(source, settled)
  return buildConfig(source, expanded, { home, secrets, opened })
}
