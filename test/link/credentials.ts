/** Certificates for links under test. */
import { type Credentials, HOST_URI, pluginUri } from '@callboard/sdk/external'
import {
  createAuthority,
  issueLeaf,
  type KeyedCertificate,
  type LeafOptions,
} from '../../packages/callboard/src/plugins/external/identity/certificates.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The id of the plugin that listens. */
export const PLUGIN_ID = 'acme/echo'

/** A CA, and what the host and a plugin have of it. */
export interface TestParty {
  readonly authority: KeyedCertificate
  readonly host: Credentials
  readonly plugin: Credentials
  /** Another leaf of this CA. */
  issue(options?: Partial<LeafOptions>): Promise<Credentials>
}

export async function createParty(): Promise<TestParty> {
  const authority = await createAuthority('test CA', { from: Date.now(), forMs: DAY_MS })
  const issue = async (options: Partial<LeafOptions> = {}): Promise<Credentials> => {
    const defaults = {
      name: 'test',
      uri: pluginUri(PLUGIN_ID),
      use: 'server',
      from: Date.now(),
      forMs: DAY_MS,
    } as const
    const leaf = await issueLeaf(authority, { ...defaults, ...options })
    return { ca: authority.certificate, ...leaf }
  }
  return {
    authority,
    host: await issue({ uri: HOST_URI, use: 'client' }),
    plugin: await issue(),
    issue,
  }
}
