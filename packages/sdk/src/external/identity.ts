/** The names by which certificates tell the host and its plugins apart: URIs among the subject alternative names. */

/** What the host's certificate carries. */
export const HOST_URI = 'spiffe://callboard/host'

/** What the certificate of this plugin carries, and no other's. */
export function pluginUri(pluginId: string): string {
  return `spiffe://callboard/plugin/${pluginId}`
}
