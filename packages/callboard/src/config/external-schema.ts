/** The shape of an external plugin in a config: a process to start, or an address where one listens. */

import { z } from 'zod'
import { parseListen } from './listen.ts'
import { command, record, size, start, text } from './schema-parts.ts'

/** As the config writes it. */
export interface ExternalSettings {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly address?: string | undefined
  readonly certs?: string | undefined
  readonly transport?: 'quic' | 'tls' | undefined
  readonly protocol?: 'callboard' | 'orchestra' | undefined
  readonly grants?: readonly string[] | undefined
  readonly boot?: Readonly<Record<string, string>> | undefined
  /** Bytes. */
  readonly maxStorage?: number | undefined
}

/** What a plugin of the protocol `orchestra` may be granted besides permissions. */
const WORDS = ['storage', 'tools', 'events']

function fault(settings: ExternalSettings): string | undefined {
  const { command: program, address, certs } = settings
  if (program === undefined && address === undefined)
    return 'expected `command` (a process to start) or `address` (where a plugin listens)'
  if (program !== undefined && address !== undefined) return 'expected `command` or `address`, not both'
  if (program !== undefined && certs !== undefined) return '`certs` goes with `address`, not with `command`'
  const stray = (['args', 'env', 'cwd'] as const).find((key) => settings[key] !== undefined)
  if (address !== undefined && stray !== undefined) return `\`${stray}\` goes with \`command\`, not with \`address\``
  return protocolFault(settings)
}

function protocolFault({ protocol, address, transport, grants, boot }: ExternalSettings): string | undefined {
  if (protocol !== 'orchestra') {
    if (grants !== undefined)
      return '`grants` goes with `protocol: orchestra`; other plugins name the call for which they ask'
    return boot === undefined ? undefined : '`boot` goes with `protocol: orchestra`'
  }
  if (address !== undefined) return '`protocol: orchestra` goes with `command`: such a plugin is always started here'
  if (transport === 'tls') return '`protocol: orchestra` is spoken over QUIC alone; leave `transport` out'
  return undefined
}

/** A permission has a dot in it, so that a word that is spelled wrong is no permission. */
function isGrant(written: string): boolean {
  return WORDS.includes(written) || (/^[A-Za-z0-9._*-]+$/.test(written) && /[.*]/.test(written))
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
    protocol: z
      .enum(['callboard', 'orchestra'])
      .describe("What the plugin speaks: Callboard's own protocol (the default), or that of Orchestra.")
      .optional(),
    grants: z
      .array(
        text.refine(
          isGrant,
          'expected storage, tools, events, or permissions such as acme.hello.* that it has outside its calls',
        ),
      )
      .describe(
        'What a plugin of the protocol orchestra may ask of the host: storage, events, tools (for its calls, as their user), and permissions that it has outside its calls. Default: nothing.',
      )
      .optional(),
    boot: record(text, text)
      .describe('What a plugin of the protocol orchestra is told when it boots, by name.')
      .optional(),
    maxStorage: size
      .describe('How much what it keeps with the host may take, such as 500MB. Default: 100MB.')
      .optional(),
  })
  .superRefine((settings, context) => {
    const message = fault(settings)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ oneOf: [{ required: ['command'] }, { required: ['address'] }] })
  .describe('A plugin in a process of its own: one to start (command) or one that listens (address).')
