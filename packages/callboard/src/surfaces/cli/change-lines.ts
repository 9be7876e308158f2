/** What a person reads when the config was changed while it is served. */
import type { ConfigChange } from '../../config/config-change.ts'
import type { Reconfiguration } from '../../host.ts'
import { oneLine } from './output/plain-text.ts'

/** A line in all, and one more for each thing that is wrong or has to wait. */
export function changeLines(reconfiguration: Reconfiguration): string {
  if (reconfiguration.outcome === 'applied') {
    const { change } = reconfiguration
    return [`config: ${summaryOf(change)}`, ...change.kept.map((kept) => `  ${oneLine(kept)}`)].join('\n')
  }
  const faults = reconfiguration.reason.split('\n').map((fault) => `  ${oneLine(fault)}`)
  return ['config: refused, the one before stays in effect', ...faults].join('\n')
}

function summaryOf({ added, removed, restarted, adjusted, settings }: ConfigChange): string {
  const parts: readonly (readonly [what: string, names: readonly string[]])[] = [
    ['added', added],
    ['removed', removed],
    ['restarted', restarted],
    ['adjusted', adjusted],
    ['changed', settings],
  ]
  const told = parts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.map(oneLine).join(', ')}`)
  return told.length === 0 ? 'nothing to change' : told.join('; ')
}
