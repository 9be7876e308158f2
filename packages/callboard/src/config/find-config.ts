/** Finds the config of a run: the one that was named, else the first of the usual places. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CallboardError } from '../errors.ts'

/** Who says which config to use; `file` is that of an application, `nobody` where it was looked up. */
export type ConfigNamer = '--config' | '$CALLBOARD_CONFIG' | '`file`' | 'nobody'

export interface FindOptions {
  /** The config that goes before all others. */
  readonly explicit?: string | undefined
  /** Who named `explicit`; `--config` when absent. */
  readonly namedBy?: ConfigNamer | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
}

/**
 * The absolute path of the config: `--config`, then `$CALLBOARD_CONFIG`, then `callboard.yaml` in the working folder
 * (never in a parent), then `~/.config/callboard/callboard.yaml`. Throws `config` when a named file is not there, or
 * none is.
 */
export function findConfig({ explicit, namedBy = '--config', env, cwd, home }: FindOptions): string {
  const fromEnv = env.CALLBOARD_CONFIG
  if (explicit === '') throw new CallboardError('config', `${namedBy} names no file; give it a path, or leave it out`)
  if (explicit !== undefined) return named(resolve(cwd, explicit), namedBy)
  if (fromEnv !== undefined && fromEnv !== '') return named(resolve(cwd, fromEnv), '$CALLBOARD_CONFIG')
  const places = [join(cwd, 'callboard.yaml'), join(home, '.config', 'callboard', 'callboard.yaml')]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new CallboardError(
    'config',
    `no config found; looked for ${places.join(' and ')}. Write one there, or name a file (an mcp.json will do) with --config FILE or $CALLBOARD_CONFIG`,
  )
}

function named(path: string, by: ConfigNamer): string {
  const [origin, mend] =
    by === 'nobody' ? ['which was found before', 'put it back'] : [`which ${by} names`, 'correct the path']
  if (!existsSync(path)) throw new CallboardError('config', `no config at ${path}, ${origin}; ${mend}`)
  if (statSync(path).isDirectory())
    throw new CallboardError('config', `${path}, ${origin}, is a folder; name the file in it`)
  return path
}
