/** Says what a config would start and contact, as it is written there, for a person who is asked to trust it. */
import { SERVER_KEYS, URL_KEYS } from './client-server.ts'
import type { ConfigSource } from './config-source.ts'
import { childOf, type SourceNode } from './source-node.ts'

/** One plugin of a config that nobody has checked yet: nothing of it is expanded, and nothing need be right. */
export interface PluginIntent {
  /** The key under which it stands. */
  readonly id: string
  /** What becomes of it: a process, a connection, a module that is loaded. */
  readonly verb: 'starts' | 'connects to' | 'loads' | 'has'
  /** The command with its arguments, the address or the path. Text of the file: it may hold anything. */
  readonly what: string
}

/** The keys of a plugin under which there is what it runs; a client's entry has it in itself. */
const KIND_KEYS = ['mcp', 'external', 'ai'] as const

/** Every plugin and server of the config, in the order of the file, those that are switched off too. */
export function whatRuns({ root }: Pick<ConfigSource, 'root'>): readonly PluginIntent[] {
  return root.entries
    .filter(({ key }) => key === 'plugins' || SERVER_KEYS.includes(key))
    .flatMap(({ value }) => (value.kind === 'map' ? value.entries : []))
    .map(({ key, value }) => ({ id: key, ...intentOf(value) }))
}

function intentOf(plugin: SourceNode): Omit<PluginIntent, 'id'> {
  const path = textOf(plugin) ?? textOf(childOf(plugin, 'local'))
  if (path !== undefined) return { verb: 'loads', what: path }
  const target = KIND_KEYS.map((kind) => childOf(plugin, kind)).find((node) => node !== undefined) ?? plugin
  const command = textOf(childOf(target, 'command'))
  if (command !== undefined) return { verb: 'starts', what: [command, ...argumentsOf(target)].join(' ') }
  const url = [...URL_KEYS, 'address'].map((key) => textOf(childOf(target, key))).find((text) => text !== undefined)
  if (url !== undefined) return { verb: 'connects to', what: url }
  const providers = (target.kind === 'list' ? target.items : [target]).flatMap(
    (node) => textOf(childOf(node, 'baseUrl')) ?? textOf(childOf(node, 'provider')) ?? [],
  )
  return providers.length === 0
    ? { verb: 'has', what: 'nothing that can be read' }
    : { verb: 'connects to', what: providers.join(', ') }
}

function argumentsOf(target: SourceNode): readonly string[] {
  const args = childOf(target, 'args')
  return args?.kind === 'list' ? args.items.map((item) => quoted(textOf(item) ?? '…')) : []
}

/** An argument with spaces in it is still seen as one. */
function quoted(argument: string): string {
  return /^[^\s'"]+$/.test(argument) ? argument : JSON.stringify(argument)
}

function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}
