/** A host of real plugins, a real catalogue and no steps between them: what the surface makes of a call is all that is tested. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../../packages/callboard/src/catalog/catalog-tool.ts'
import { type CatalogView, createCatalogView } from '../../packages/callboard/src/catalog/catalog-view.ts'
import { CatalogSnapshot } from '../../packages/callboard/src/catalog/snapshot.ts'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import { nameOf } from '../../packages/callboard/src/gate/acting-user.ts'
import type { Host, PluginStatus } from '../../packages/callboard/src/host.ts'
import type { InvokeRequest } from '../../packages/callboard/src/invoke/invoke-request.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { BuiltinPlugin } from '../../packages/callboard/src/plugins/builtin/builtin-plugin.ts'
import { BUILTIN_ID } from '../../packages/callboard/src/plugins/builtin/builtin-tool.ts'
import type { Plugin, PluginHost, ToolCall, ToolResult } from '../../packages/callboard/src/plugins/plugin.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'

/** A plugin of kind `mcp` whose tools are plain functions. */
export class ScriptedPlugin implements Plugin {
  readonly id: string
  readonly kind = 'mcp'
  readonly #actions: ReadonlyMap<string, (call: ToolCall) => ToolResult | Promise<ToolResult>>
  readonly tools: readonly ToolDefinition[]

  constructor(id: string, tools: readonly ScriptedTool[]) {
    this.id = id
    this.tools = tools.map(({ run: _, ...tool }) => ({ package: id, action: tool.name, ...tool }))
    this.#actions = new Map(tools.map((tool) => [tool.name, tool.run ?? (() => ({ content: [] }))]))
  }

  async start(): Promise<void> {}

  async call(call: ToolCall): Promise<ToolResult> {
    const action = this.#actions.get(call.definition.name)
    if (!action) throw new CallboardError('not_found', 'no such action')
    return action(call)
  }

  health(): { state: 'up'; since: number } {
    return { state: 'up', since: 0 }
  }

  async stop(): Promise<void> {}

  onChange(): () => void {
    return () => undefined
  }
}

export type ScriptedTool = Omit<ToolDefinition, 'package' | 'action'> & {
  readonly run?: (call: ToolCall) => ToolResult | Promise<ToolResult>
}

export interface HostDouble {
  readonly host: Host
  /** The calls that reached the invoker. */
  readonly requests: readonly InvokeRequest[]
  /** Replaces the plugins and tells of it. */
  setPlugins(plugins: readonly Plugin[]): void
  /** What `plugins()` says from now on; listeners are told with `setPlugins`. */
  setStatus(statuses: readonly PluginStatus[]): void
  /** How many listen for changes of the catalogue. */
  listeners(): number
}

export async function hostDouble(plugins: readonly Plugin[]): Promise<HostDouble> {
  const secrets = new Secrets()
  const log = createLog(secrets, 'silent')
  const requests: InvokeRequest[] = []
  const listeners = new Set<() => void>()
  const builtin = new BuiltinPlugin()
  let statuses: readonly PluginStatus[] = []
  let byId = new Map<string, Plugin>()
  let view: CatalogView = createCatalogView(CatalogSnapshot.empty)

  const run = async (request: InvokeRequest): Promise<ToolResult> => {
    requests.push(request)
    const tool = view.resolve(request.name)
    const plugin = byId.get(tool?.entry.pluginId ?? '')
    if (!(tool && plugin)) throw new CallboardError('not_found', `no tool named "${request.name}"`)
    request.onResolve?.(tool, view)
    return plugin.call({
      definition: tool.definition,
      arguments: request.arguments,
      user: nameOf(request.user),
      surface: 'mcp',
      signal: request.signal ?? new AbortController().signal,
      catalog: view,
      ...(request.meta && { meta: request.meta }),
      ...(request.onProgress && { onProgress: request.onProgress }),
      ...(request.log && { log: request.log }),
    })
  }
  const pluginHost: PluginHost = {
    log,
    view: async () => view,
    healthOf: () => undefined,
    storage: { get: () => undefined, set: () => undefined },
    call: ({ user, signal, meta, onProgress }, name, args, options) =>
      run({
        name,
        arguments: args,
        user,
        signal,
        ...options,
        ...(meta && { meta }),
        ...(onProgress && { onProgress }),
      }),
  }
  const setPlugins = (next: readonly Plugin[]): void => {
    byId = new Map([builtin, ...next].map((plugin) => [plugin.id, plugin]))
    view = createCatalogView(CatalogSnapshot.empty.with({ put: [...byId.values()].flatMap(toolsOf) }))
    for (const listener of listeners) listener()
  }
  await builtin.start(pluginHost)
  setPlugins(plugins)
  const host = {
    get config(): never {
      throw new Error('the double has no config')
    },
    get people(): never {
      throw new Error('the double has no users')
    },
    get tokens(): never {
      throw new Error('the double has no tokens')
    },
    log,
    secrets,
    invoker: { run, invoke: () => Promise.reject(new Error('the double only runs by name')) },
    view: async () => view,
    allows: async () => true,
    plugins: () => statuses,
    reports: () => [],
    checkSchemas: async () => undefined,
    start: async () => undefined,
    restart: async () => undefined,
    reconfigure: () => {
      throw new Error('the double has no config')
    },
    refuseConfig: () => undefined,
    onReconfigure: () => () => undefined,
    onPeopleChange: () => () => undefined,
    onCatalogChange: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onPluginChange: () => () => undefined,
    onCall: () => () => undefined,
    audit: async function* () {},
    switches: { all: () => [], setPlugin: () => undefined, setTool: async (name: string) => name },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const setStatus = (next: readonly PluginStatus[]): void => {
    statuses = next
  }
  return { host, requests, setPlugins, setStatus, listeners: () => listeners.size }
}

function toolsOf(plugin: Plugin): CatalogTool[] {
  const prefix = plugin.id === BUILTIN_ID ? '' : `${plugin.id}_`
  return plugin.tools.map((definition) => ({
    definition,
    entry: {
      name: prefix + definition.name,
      description: definition.description ?? '',
      pluginId: plugin.id,
      category: plugin.id === BUILTIN_ID ? 'tool' : 'external',
      providers: [],
      namespacedName: `plugin:${plugin.id}:${definition.name}`,
      declaredName: definition.name,
      ...(definition.title !== undefined && { title: definition.title }),
    },
  }))
}
