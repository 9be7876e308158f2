/** The complete public surface of `callboard` as a library: whatever is named here is public API. */

export type { CatalogTool } from './catalog/catalog-tool.ts'
export type { CatalogView, SearchOptions, SearchPage } from './catalog/catalog-view.ts'
export type { Config, Expose } from './config/config.ts'
export type { ConfigChange } from './config/config-change.ts'
export { loadConfig } from './config/load-config.ts'
export { CallboardError, type ErrorCode, UpstreamError } from './errors.ts'
export type { ActingUser, NarrowedUser } from './gate/acting-user.ts'
export type { Gate } from './gate/gate.ts'
export type { Role, User } from './host/known-people.ts'
export type { People } from './host/people.ts'
export type { AuditBatch, AuditQuery } from './host/read-audit.ts'
export type { Token, TokenRequest, Tokens, TokenVerdict } from './host/tokens.ts'
export { createHost, type Host, type HostOptions, type PluginStatus, type Reconfiguration } from './host.ts'
export type { CallRecord } from './invoke/call-record.ts'
export type { InvokeOptions, InvokeRequest } from './invoke/invoke-request.ts'
export type { ToolInvoker } from './invoke/tool-invoker.ts'
export { createLog, type Log } from './log.ts'
export { loadPlugin } from './plugins/local/load-plugin.ts'
export { runningPlugin } from './plugins/local/plugin-code.ts'
export type { Progress, ToolResult } from './plugins/plugin.ts'
export type { AuditRow } from './store/audit-store.ts'
export type { SwitchedOff } from './store/switch-store.ts'
export {
  createMcpEndpoint,
  type EndpointUser,
  type McpEndpoint,
  type McpEndpointOptions,
} from './surfaces/mcp/create-mcp-endpoint.ts'
export { sanitizeToolName } from './tools/names.ts'
export { PluginToolRegistry } from './tools/plugin-tool-registry.ts'
