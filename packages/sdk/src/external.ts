/**
 * The complete public surface of `@callboard/sdk/external`: the protocol of plugins that are processes of their own.
 */
export { HOST_URI, pluginUri } from './external/identity.ts'
export { type Address, formatAddress, parseAddress } from './external/link/address.ts'
export { dialLink } from './external/link/dial-link.ts'
export type { Link, LinkStream, PeerIdentity, Transport } from './external/link/link.ts'
export { LinkError, type LinkErrorKind } from './external/link/link-error.ts'
export { listenForLinks } from './external/link/listen-for-links.ts'
export { whyNoQuic } from './external/link/quic/quiche.ts'
export { RESET, StreamReset } from './external/link/stream-reset.ts'
export type { Credentials, DialOptions, LinkListener, LinkTerms, ListenOptions } from './external/link/terms.ts'
export { Asker, type AskOptions } from './external/protocol/asker.ts'
export { describeTool } from './external/protocol/describe-tool.ts'
export {
  Fault_Code,
  HealthResult_Status,
  type PluginManifest,
  type ToolDefinition as ToolMessage,
} from './external/protocol/generated/plugin_pb.ts'
export type { ReceivedRequest, ReceivedResponse, RequestBody, ResponseBody } from './external/protocol/messages.ts'
export { ProtocolError } from './external/protocol/protocol-error.ts'
export { type Serve, type ServedRequest, type ServeLimits, serveLink } from './external/protocol/serve-link.ts'
export { NoCatalogError } from './external/serve/no-catalog.ts'
export type { ServeOptions } from './external/serve/serve-options.ts'
export { servePlugin } from './external/serve/serve-plugin.ts'
