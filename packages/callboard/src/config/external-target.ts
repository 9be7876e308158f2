/** Makes the way to an external plugin out of what a config says of it. */
import type { ExternalTarget } from './config.ts'
import { pathFrom } from './data-dir.ts'
import type { ExternalSettings } from './external-schema.ts'
import { processOf, type TargetOptions } from './mcp-target.ts'
import { rememberLiterals } from './secret-values.ts'

/** The target of settings that passed the schema. */
export function externalTarget(
  settings: ExternalSettings,
  options: Pick<TargetOptions, 'folder' | 'home' | 'secrets'>,
): ExternalTarget {
  const { command, address = '', certs, transport } = settings
  rememberLiterals(settings, options.secrets)
  const carried = transport === undefined ? {} : { transport }
  if (command !== undefined) return { kind: 'process', ...processOf(command, settings, options), ...carried }
  const folder = certs === undefined ? {} : { certs: pathFrom(options.folder, options.home, certs) }
  return { kind: 'address', address, ...folder, ...carried }
}
