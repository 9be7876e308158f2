/** Where a config keeps whatever must outlive the process. */
import { createHash } from 'node:crypto'
import { isAbsolute, join, resolve } from 'node:path'

/** A path as a config writes it, absolute: `~/` is the home folder, anything else is relative to `folder`. */
export function pathFrom(folder: string, home: string, written: string): string {
  return /^~(?:$|[\\/])/.test(written) ? join(home, written.slice(1)) : resolve(folder, written)
}

/**
 * The data folder of a config that names none: one for each config, told apart by the path of its file, under
 * `$XDG_DATA_HOME` or `~/.local/share` (XDG Base Directory Specification: a relative `$XDG_DATA_HOME` does not count).
 */
export function defaultDataDir(
  configPath: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const given = env.XDG_DATA_HOME
  const base = given !== undefined && isAbsolute(given) ? given : join(home, '.local', 'share')
  return join(base, 'callboard', createHash('sha256').update(configPath).digest('hex').slice(0, 16))
}
