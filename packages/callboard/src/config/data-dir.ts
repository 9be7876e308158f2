/** Where a config keeps whatever must outlive the process. */
import { createHash } from 'node:crypto'
import { isAbsolute, join, resolve } from 'node:path'

/** A path as a config writes it, absolute: `~/` is the home folder, anything else is relative to `folder`. */
export function pathFrom(folder: string, home: string, written: string): string {
  return /^~(?:$|[\\/])/.test(written) ? join(home, written.slice(1)) : resolve(folder, written)
}

/**
 * The folder of everything that Callboard keeps for this person: `callboard` under `$XDG_DATA_HOME` or `~/.local/share`
 * (XDG Base Directory Specification: a relative `$XDG_DATA_HOME` does not count).
 */
export function dataRoot(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env.XDG_DATA_HOME
  return join(given !== undefined && isAbsolute(given) ? given : join(home, '.local', 'share'), 'callboard')
}

/**
 * The name that stands for a config wherever something is kept for it: of its path, so that each config has its own.
 */
export function configHash(configPath: string): string {
  return createHash('sha256').update(configPath).digest('hex').slice(0, 16)
}

/** The data folder of a config that names none: one for each config, under the `dataRoot`. */
export function defaultDataDir(
  configPath: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  return join(dataRoot(env, home), configHash(configPath))
}
