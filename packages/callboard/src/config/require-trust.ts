/** Refuses a config that nobody trusted, with the line to type. */
import { CallboardError } from '../errors.ts'
import { shellWord } from '../shell-word.ts'
import type { ConfigTrust } from './locate-config.ts'

/** Throws `config` unless the config was named, lies in the home config folder, or is trusted as it is now. */
export function requireTrust({ file, trust }: ConfigTrust): void {
  if (trust === 'needless' || trust === 'trusted') return
  const why = trust === 'never' ? 'is not trusted yet' : 'has changed since it was trusted'
  throw new CallboardError(
    'config',
    `the config ${file} ${why}, so nothing of it is run; look at it, then type: callboard trust ${shellWord(file)}`,
  )
}
