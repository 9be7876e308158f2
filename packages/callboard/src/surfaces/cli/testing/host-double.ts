/** A host for the tests of the command line: tools and plugins as data, and calls that a test answers. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogView } from '../../../catalog/catalog-view.ts'
import { CallboardError } from '../../../errors.ts'
import type { ActingUser } from '../../../gate/acting-user.ts'
import type { AuditBatch, AuditQuery } from '../../../host/read-audit.ts'
import type { Host, PluginStatus } from '../../../host.ts'
import type { CallRecord } from '../../../invoke/call-record.ts'
import type { InvokeRequest } from '../../../invoke/invoke-request.ts'
import { createLog } from '../../../log.ts'
import type { PluginState, ToolResult } from '../../../plugins/plugin.ts'
import { Secrets } from '../../../secrets.ts'
import type { SwitchedOff } from '../../../store/switch-store.ts'
import { doubleTool, doubleView } from './double-view.ts'

/** A plugin of the double. */
export interface DoublePlugin {
  readonly id: string
  readonly tools: readonly Partial<ToolDefinition>[]
  /** Its tools are not known before it was started. */
  readonly unknown?: boolean
  /** `enabled: false` in the config. */
  readonly disabled?: boolean
  /** Why it can't be started. */
  readonly broken?: string
  /** It is on its next attempt as soon as one has failed. */
  readonly retried?: boolean
  /** How long it took to start. */
  readonly startMs?: number
}

export interface DoubleOptions {
  readonly plugins?: readonly DoublePlugin[]
  readonly permissions?: readonly string[]
  /** The namespaced names of the tools that a user who is not the owner sees; all when absent. */
  readonly visible?: readonly string[]
  /** The users of the config, without roles. */
  readonly users?: readonly string[]
  readonly reports?: readonly string[]
  readonly notes?: readonly string[]
  readonly audit?: readonly AuditBatch[]
  readonly switchedOff?: readonly SwitchedOff[]
  /** How well the best match of a search fits; 1 when absent. */
  readonly likeness?: number
  /** How long calls are kept; a month when absent. */
  readonly keepMs?: number
  readonly answer?: (request: InvokeRequest) => Promise<ToolResult>
}

const untouched = (): never => {
  throw new Error('the double keeps its users, roles and tokens')
}

const UNTOUCHED = {
  addUser: untouched,
  setRoles: untouched,
  setDisabled: untouched,
  removeUser: untouched,
  addRole: untouched,
  setPermissions: untouched,
  removeRole: untouched,
  create: untouched,
  revoke: untouched,
  check: untouched,
}

function usersOf({ users }: Host['config']): ReturnType<Host['people']['users']> {
  const owner = { name: 'owner', roles: [], disabled: false, source: 'built in' } as const
  return [owner, ...[...users].map(([name, user]) => ({ name, ...user, source: 'config' as const }))]
}

/** A host that records what was asked of it. */
export class HostDouble implements Host {
  readonly secrets: Secrets = new Secrets()
  readonly log: Host['log'] = createLog(this.secrets, 'silent')
  readonly config: Host['config']
  readonly invoker: Host['invoker']
  readonly people: Host['people']
  readonly tokens: Host['tokens']
  readonly started: string[] = []
  readonly restarted: string[] = []
  readonly requests: InvokeRequest[] = []
  /** What was switched on or off. */
  readonly switched: (readonly [name: string, isOn: boolean])[] = []
  /** What was asked of the audit. */
  readonly queries: AuditQuery[] = []
  disposed = false
  readonly #options: DoubleOptions
  readonly #states = new Map<string, PluginState>()
  readonly #pluginListeners = new Set<(status: PluginStatus) => void>()
  readonly #callListeners = new Set<(call: CallRecord) => void>()

  constructor(options: DoubleOptions, user = 'owner') {
    this.#options = options
    this.config = {
      file: '/etc/callboard.yaml',
      expose: undefined,
      user,
      http: { host: '127.0.0.1', port: 2255, auth: 'none', hosts: [], origins: [] },
      names: { maxLength: 48 },
      ai: { fallback: [], aliases: new Map(), owners: new Map() },
      limits: { timeoutMs: 60_000, maxTimeoutMs: 600_000, concurrency: 32, queue: 1_000 },
      audit: { keepMs: options.keepMs ?? 2_592_000_000, maxBytes: 2 ** 30, arguments: false, required: true },
      dataDir: '/var/callboard',
      secrets: new Secrets(),
      plugins: (options.plugins ?? []).map(({ id, disabled = false }) => ({
        id,
        enabled: !disabled,
        prefix: `${id}_`,
        timeoutMs: 60_000,
        tools: { keep: [], drop: [], overrides: new Map() },
        kind: 'mcp',
        mcp: { transport: 'stdio', command: id, args: [], env: { KEY: '1' }, cwd: '/', startTimeoutMs: 1000 },
      })),
      roles: new Map(),
      users: new Map((options.users ?? []).map((name) => [name, { roles: [], disabled: false }])),
      notes: options.notes ?? [],
    }
    this.people = { ...UNTOUCHED, users: () => usersOf(this.config), roles: () => [] }
    this.tokens = { ...UNTOUCHED, all: () => [], isGood: () => false }
    this.invoker = {
      run: async (request) => {
        this.requests.push(request)
        if (request.refusal !== undefined) throw request.refusal
        const view = await this.view()
        const tool = view.resolve(request.name)
        if (tool === undefined) throw new CallboardError('not_found', `the invoker knows no ${request.name}`)
        request.onResolve?.(tool, view)
        return this.#options.answer?.(request) ?? { content: [{ type: 'text', text: 'done' }] }
      },
      invoke: async () => ({ content: [] }),
    }
  }

  async view(user: ActingUser = 'owner'): Promise<CatalogView> {
    const { plugins = [], visible, likeness = 1 } = this.#options
    const known = plugins.filter((plugin) => this.#knows(plugin))
    const tools = known.flatMap(({ id, tools }) => tools.map((tool) => doubleTool(id, tool)))
    const all = user === 'owner' || visible === undefined
    return doubleView(
      tools.filter(({ entry }) => all || visible.includes(entry.namespacedName)),
      likeness,
    )
  }

  async allows(_user: ActingUser, permission: string): Promise<boolean> {
    return this.#options.permissions?.includes(permission) ?? true
  }

  plugins(): readonly PluginStatus[] {
    return (this.#options.plugins ?? []).map((plugin) => this.#status(plugin)).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  reports(): readonly string[] {
    return this.#options.reports ?? []
  }

  readonly switches: Host['switches'] = {
    all: () => this.#options.switchedOff ?? [],
    setPlugin: (id, isOn) => {
      this.switched.push([id, isOn])
    },
    setTool: async (name, isOn) => {
      this.switched.push([name, isOn])
      return `plugin:double:${name}`
    },
  }

  async *audit(query: AuditQuery): AsyncGenerator<AuditBatch> {
    this.queries.push(query)
    yield* this.#options.audit ?? []
  }

  async checkSchemas(): Promise<void> {}

  async start(ids?: readonly string[]): Promise<void> {
    for (const plugin of this.#options.plugins ?? []) {
      if (ids?.includes(plugin.id) && plugin.disabled) throw new Error(`${plugin.id} is disabled`)
      if (plugin.disabled || (ids && !ids.includes(plugin.id))) continue
      this.started.push(plugin.id)
      this.#states.set(plugin.id, plugin.broken === undefined ? 'up' : 'failed')
      for (const listener of this.#pluginListeners) listener(this.#status(plugin))
      if (plugin.retried === true) this.#states.set(plugin.id, 'starting')
    }
  }

  async restart(id: string): Promise<void> {
    this.restarted.push(id)
    await this.start([id])
  }

  reconfigure(): never {
    throw new Error('the double keeps its config')
  }

  refuseConfig(): void {}

  onReconfigure(): () => void {
    return () => undefined
  }

  onCatalogChange(): () => void {
    return () => undefined
  }

  onPeopleChange(): () => void {
    return () => undefined
  }

  onPluginChange(listener: (status: PluginStatus) => void): () => void {
    this.#pluginListeners.add(listener)
    return () => this.#pluginListeners.delete(listener)
  }

  onCall(listener: (call: CallRecord) => void): () => void {
    this.#callListeners.add(listener)
    return () => this.#callListeners.delete(listener)
  }

  /** Tells the listeners of a call. */
  record(call: CallRecord): void {
    for (const listener of this.#callListeners) listener(call)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true
  }

  #knows(plugin: DoublePlugin): boolean {
    return !plugin.unknown || this.#states.get(plugin.id) === 'up'
  }

  #status(plugin: DoublePlugin): PluginStatus {
    const state = plugin.disabled ? 'disabled' : (this.#states.get(plugin.id) ?? 'stopped')
    const status = {
      id: plugin.id,
      kind: 'mcp',
      state,
      since: 0,
      tools: this.#knows(plugin) ? plugin.tools.length : 0,
      ...(state === 'up' && plugin.startMs !== undefined && { startMs: plugin.startMs }),
    } as const
    return state === 'failed' && plugin.broken !== undefined ? { ...status, reason: plugin.broken } : status
  }
}
