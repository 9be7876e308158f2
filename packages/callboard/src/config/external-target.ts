/** Makes the way to an external plugin out of what a config says of it. */
import type { ExternalTarget, OrchestraGrants } from './config.ts'
import { pathFrom } from './data-dir.ts'
import type { ExternalSettings } from './external-schema.ts'
import { processOf, type TargetOptions } from './mcp-target.ts'
import { rememberLiterals } from './secret-values.ts'

/** The target of settings that passed the schema. */
export function externalTarget(
  settings: ExternalSettings,
  options: Pick<TargetOptions, 'folder' | 'home' | 'secrets'>,
): ExternalTarget {
  const { command, address = '', certs, transport, maxStorage, protocol, grants = [], boot = {} } = settings
  // What the plugin is told when it boots is like an environment to it.
  rememberLiterals({ ...settings, env: { ...settings.env, ...boot } }, options.secrets)
  const carried = {
    ...(transport !== undefined && { transport }),
    ...(maxStorage !== undefined && { maxStorageBytes: maxStorage }),
  }
  const orchestra = protocol === 'orchestra' ? { orchestra: { grants: grantsOf(grants), boot } } : {}
  if (command !== undefined)
    return { kind: 'process', ...processOf(command, settings, options), ...orchestra, ...carried }
  const folder = certs === undefined ? {} : { certs: pathFrom(options.folder, options.home, certs) }
  return { kind: 'address', address, ...folder, ...carried }
}

function grantsOf(written: readonly string[]): OrchestraGrants {
  const isWord = (grant: string): boolean => !/[.*]/.test(grant)
  return {
    storage: written.includes('storage'),
    tools: written.includes('tools'),
    events: written.includes('events'),
    permissions: written.filter((grant) => !isWord(grant)),
  }
}
