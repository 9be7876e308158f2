/**
 * Finds the config of a command, and asks the person on the terminal whether to trust one that was only come across.
 */
import { homedir } from 'node:os'
import { type ConfigPlace, type LocatedConfig, locateConfig, namerOf } from '../../config/locate-config.ts'
import { requireTrust } from '../../config/require-trust.ts'
import { TrustedConfigs } from '../../config/trusted-configs.ts'
import { intentRows } from './config-intent.ts'
import type { Ask } from './output/ask.ts'
import { oneLine } from './output/plain-text.ts'
import { writeTable } from './output/table.ts'
import type { Output } from './output/terminal.ts'

export interface AdmitOptions {
  /** What `--config` names. */
  readonly file: string | undefined
  readonly place: ConfigPlace
  readonly stderr: Output
  /** Absent where nobody can be asked. */
  readonly ask?: Ask | undefined
  readonly signal: AbortSignal
}

/** Throws `config` when there is no config, or nobody trusts it; nothing of it has run then. */
export async function admitConfig(options: AdmitOptions): Promise<LocatedConfig> {
  const { file, place, ask } = options
  const located = await locate(file, place)
  const isKnown = located.trust === 'needless' || located.trust === 'trusted'
  if (isKnown || ask === undefined || !(await agrees(located, ask, options))) {
    requireTrust(located)
    return located
  }
  new TrustedConfigs(place.env, place.home ?? homedir()).add(located.file, located.digest)
  return { ...located, trust: 'trusted' }
}

/** Of a config whose envFile or data folder can't be told, everything else that is wrong is said, too. */
async function locate(file: string | undefined, place: ConfigPlace): Promise<LocatedConfig> {
  try {
    return locateConfig(file, place)
  } catch (error) {
    const { loadConfig } = await import('../../config/load-config.ts')
    loadConfig({ ...place, file, namedBy: namerOf(file, place.env) })
    throw error
  }
}

async function agrees(located: LocatedConfig, ask: Ask, { stderr, signal }: AdmitOptions): Promise<boolean> {
  const { file, trust } = located
  const why = trust === 'never' ? 'is not trusted yet' : 'has changed since it was trusted'
  stderr.write(`The config ${oneLine(file)} ${why}. It\n`)
  writeTable(stderr, intentRows(located), { indent: '  ' })
  const answer = await ask('Trust it, until it changes? [y/N] ', signal)
  return /^\s*y(es)?\s*$/i.test(answer)
}
