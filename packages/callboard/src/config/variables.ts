/** What a `${…}` of one config stands for: the environment, then the config's envFile. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export interface Variables {
  /** By name; the environment first, then the envFile. */
  get(name: string): string | undefined
  /** Every name that has a value, for suggestions. */
  names(): Iterable<string>
}

/** The environment in front of what an envFile says: what is set for this run wins over what lies in a file. */
export function variablesOf(
  env: Readonly<Record<string, string | undefined>>,
  fromFile: Readonly<Record<string, string | undefined>>,
): Variables {
  return {
    get: (name) => own(env, name) ?? own(fromFile, name),
    names: () =>
      [...Object.keys(env), ...Object.keys(fromFile)].filter((name) => (env[name] ?? fromFile[name]) !== undefined),
  }
}

/** Reads a `.env` file. Throws what the file system throws. */
export function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  return parseEnv(readEnvText(path))
}

/** The text of a `.env` file. Throws what the file system throws. */
export function readEnvText(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
}

// On Windows the environment answers to any case of a name, which only a plain look-up keeps.
function own(record: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = record[name]
  return typeof value === 'string' ? value : undefined
}
