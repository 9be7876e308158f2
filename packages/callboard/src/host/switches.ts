/** The switches of a host: which plugins and tools are switched off, whatever process did it. */
import { bridgeTools } from '../catalog/catalog-tool.ts'
import { createCatalogView } from '../catalog/catalog-view.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import type { CatalogSnapshot } from '../catalog/snapshot.ts'
import { closestName } from '../closest-name.ts'
import type { PluginConfig } from '../config/config.ts'
import { CallboardError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import type { SwitchedOff, SwitchKind, SwitchStore } from '../store/switch-store.ts'
import { noSuchPlugin } from './no-such-plugin.ts'

/** How often it looks for what other processes have switched, in milliseconds. */
const LOOK_MS = 1_000

export interface SwitchesOptions {
  readonly store: SwitchStore
  /** The plugins as the config asks for them. */
  readonly plugins: () => readonly Pick<PluginConfig, 'id' | 'enabled'>[]
  /** Every tool that is there. */
  readonly snapshot: () => CatalogSnapshot
  readonly log: Log
  /** Told after something was switched, with the ids of the plugins that were. */
  readonly onChange: (plugins: readonly string[]) => void
}

export class Switches implements Disposable {
  readonly #options: SwitchesOptions
  #all: readonly SwitchedOff[]
  #plugins: ReadonlySet<string>
  #tools: ReadonlySet<string>
  #timer: NodeJS.Timeout | undefined

  constructor(options: SwitchesOptions) {
    this.#options = options
    this.#all = options.store.all()
    this.#plugins = namesOf(this.#all, 'plugin')
    this.#tools = namesOf(this.#all, 'tool')
  }

  /** Everything that is switched off, by name. */
  all(): readonly SwitchedOff[] {
    return this.#all
  }

  /** The plugins, with those disabled that are switched off. */
  applyTo(plugins: readonly PluginConfig[]): readonly PluginConfig[] {
    if (this.#plugins.size === 0) return plugins
    return plugins.map((plugin) => (this.#plugins.has(plugin.id) ? { ...plugin, enabled: false } : plugin))
  }

  /** Why a plugin is disabled that is. */
  whyDisabled(id: string): string {
    const isOn = this.#options.plugins().some((plugin) => plugin.id === id && plugin.enabled)
    return isOn ? `switched off; on again with \`callboard plugins enable ${id}\`` : 'switched off in the config'
  }

  /** The namespaced names of the tools that are switched off. */
  get tools(): ReadonlySet<string> {
    return this.#tools
  }

  /**
   * Switches a plugin off or on. Throws `usage` where there is none of that id, and for one that the config has
   * switched off and that is to be on: the config wins.
   */
  setPlugin(id: string, isOn: boolean): void {
    const configured = this.#options.plugins()
    const ids = new Set([...configured.map((plugin) => plugin.id), ...this.#plugins])
    if (!ids.has(id)) throw noSuchPlugin(id, ids)
    if (isOn && configured.some((plugin) => plugin.id === id && !plugin.enabled))
      throw new CallboardError(
        'usage',
        `plugin "${id}" is switched off in the config, which goes first; take its \`enabled: false\` out there`,
      )
    this.#set({ kind: 'plugin', name: id, since: Date.now() }, isOn)
  }

  /**
   * Switches a tool off or on, by its public or namespaced name; one that is off by the public name that it had, too.
   * Answers its namespaced name. Rejects with `not_found`, with names that are close, and with `usage` for a built-in
   * tool and for a name that several plugins share.
   */
  async setTool(name: string, isOn: boolean): Promise<string> {
    const tool = this.#options.snapshot().find(name)
    if (tool?.entry.pluginId === BUILTIN_ID)
      throw new CallboardError('usage', `"${name}" belongs to callboard itself and can't be switched off`)
    const bridges = tool === undefined ? [] : bridgeTools(tool)
    if (bridges.length > 1)
      throw new CallboardError(
        'usage',
        `"${name}" is a tool of several plugins: ${bridges.map(({ entry }) => entry.namespacedName).join(', ')}; take one of these names`,
      )
    const off = this.#toolsNamed(name)
    const [first] = off
    if (off.length > 1)
      throw new CallboardError(
        'usage',
        `several tools that are switched off had the name "${name}": ${off.map((one) => one.name).join(', ')}; take one of these names`,
      )
    const known = tool?.entry.namespacedName ?? first?.name
    if (known === undefined) throw await this.#noSuchTool(name, isOn)
    const publicName = tool?.entry.name ?? first?.publicName
    this.#set({ kind: 'tool', name: known, ...(publicName !== undefined && { publicName }), since: Date.now() }, isOn)
    return known
  }

  /** Begins to follow what other processes switch, until it is disposed of. */
  follow(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /**
   * What is off by its namespaced name, else by the public name that it had. A name that is a tool's own now means that
   * one.
   */
  #toolsNamed(name: string): readonly SwitchedOff[] {
    const tools = this.#all.filter(({ kind }) => kind === 'tool')
    const exact = tools.filter((tool) => tool.name === name)
    return exact.length > 0 ? exact : tools.filter(({ publicName }) => publicName === name)
  }

  #set(what: SwitchedOff, isOn: boolean): void {
    const { store, log } = this.#options
    if (isOn) store.switchOn(what.kind, what.name)
    else store.switchOff(what)
    log.info({ [what.kind]: what.name }, isOn ? 'switched on' : 'switched off')
    this.#read()
  }

  #look(): void {
    try {
      if (this.#options.store.changedElsewhere()) this.#read()
    } catch (error) {
      this.#options.log.warn({ reason: messageOf(error) }, 'it is not known what other processes switched')
    }
  }

  #read(): void {
    const before = { plugins: this.#plugins, tools: this.#tools }
    this.#all = this.#options.store.all()
    this.#plugins = namesOf(this.#all, 'plugin')
    this.#tools = namesOf(this.#all, 'tool')
    const plugins = [...this.#plugins.symmetricDifference(before.plugins)]
    if (plugins.length > 0 || this.#tools.symmetricDifference(before.tools).size > 0) this.#options.onChange(plugins)
  }

  async #noSuchTool(name: string, isOn: boolean): Promise<CallboardError> {
    const what = isOn ? 'no tool is switched off that is or was named' : 'no tool named'
    const guess = isOn ? this.#guessOff(name) : await this.#guess(name)
    return new CallboardError('not_found', `${what} ${JSON.stringify(name)}${guess}`)
  }

  /** By the names that the command line lists, since that is where tools are switched. */
  #guess(name: string): Promise<string> {
    return didYouMean(createCatalogView(this.#options.snapshot()), name, { surface: 'cli' })
  }

  #guessOff(name: string): string {
    const off = this.#all.flatMap((one) => (one.kind === 'tool' ? [one.name, one.publicName ?? one.name] : []))
    const [meant] = this.#toolsNamed(closestName(name, off) ?? '')
    return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant.name)}?`
  }
}

function namesOf(all: readonly SwitchedOff[], kind: SwitchKind): ReadonlySet<string> {
  return new Set(all.filter((one) => one.kind === kind).map(({ name }) => name))
}
