/** The shape of an external plugin in a config: a process to start, or an address where one listens. */

import { z } from 'zod'
import { parseListen } from './listen.ts'
import { command, start, text } from './schema-parts.ts'

/** As the config writes it. */
export interface ExternalSettings {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly address?: string | undefined
  readonly certs?: string | undefined
  readonly transport?: 'quic' | 'tls' | undefined
}

function fault(settings: ExternalSettings): string | undefined {
  const { command: program, address, certs } = settings
  if (program === undefined && address === undefined)
    return 'expected `command` (a process to start) or `address` (where a plugin listens)'
  if (program !== undefined && address !== undefined) return 'expected `command` or `address`, not both'
  if (program !== undefined && certs !== undefined) return '`certs` goes with `address`, not with `command`'
  const stray = (['args', 'env', 'cwd'] as const).find((key) => settings[key] !== undefined)
  if (address !== undefined && stray !== undefined) return `\`${stray}\` goes with \`command\`, not with \`address\``
  return undefined
}

function isAddress(written: string): boolean {
  return (parseListen(written)?.port ?? 0) > 0
}

/** Checks it. */
export const external: z.ZodType<ExternalSettings> = z
  .strictObject({
    command: command.optional(),
    ...start,
    // Where the plugin is disabled, a variable that is missing stays as it is written.
    address: text
      .refine(
        (written) => written.includes('${') || isAddress(written),
        'expected HOST:PORT such as plugins.example.com:4433 or [::1]:4433',
      )
      .describe('Where a plugin that runs already listens, as HOST:PORT.')
      .optional(),
    certs: text
      .min(1, 'expected a folder')
      .describe('The folder where that plugin finds its certificates; kept filled. Default: one in the data folder.')
      .optional(),
    transport: z
      .enum(['quic', 'tls'])
      .describe('What carries the link. Default: QUIC, and TLS over TCP where QUIC cannot be used.')
      .optional(),
  })
  .superRefine((settings, context) => {
    const message = fault(settings)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ oneOf: [{ required: ['command'] }, { required: ['address'] }] })
  .describe('A plugin in a process of its own: one to start (command) or one that listens (address).')
