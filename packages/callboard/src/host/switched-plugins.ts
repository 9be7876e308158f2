/** The plugins that a host is asked for, by its config and by its application, without those that are switched off. */
import { join } from 'node:path'
import type { DefinedPlugin } from '@callboard/sdk'
import type { Config, PluginConfig } from '../config/config.ts'
import { type ConfigChange, configChange } from '../config/config-change.ts'
import type { Log } from '../log.ts'
import { ExternalHome } from '../plugins/external/external-home.ts'
import { ProcessWatcher } from '../plugins/process/process-watcher.ts'
import type { Router } from '../plugins/router.ts'
import type { Secrets } from '../secrets.ts'
import type { Store } from '../store/store.ts'
import type { ConfigInEffect } from './config-in-effect.ts'
import { ConfiguredPlugins, type ConfiguredPluginsOptions } from './configured-plugins.ts'
import { givenPlugins } from './given-plugins.ts'
import { Switches } from './switches.ts'

export interface SwitchedPluginsOptions extends Pick<ConfiguredPluginsOptions, 'hostOf' | 'onLeave'> {
  readonly config: ConfigInEffect
  /** Those of the application itself, whatever config follows. */
  readonly given: readonly DefinedPlugin[]
  readonly router: Router
  readonly store: Pick<Store, 'switches' | 'toolLists'>
  readonly secrets: Secrets
  readonly log: Log
}

export class SwitchedPlugins implements AsyncDisposable {
  readonly switches: Switches
  readonly configured: ConfiguredPlugins
  readonly #config: ConfigInEffect
  readonly #given: readonly DefinedPlugin[]
  readonly #router: Router
  readonly #watcher: ProcessWatcher

  constructor({ config, given, router, store, secrets, log, hostOf, onLeave }: SwitchedPluginsOptions) {
    this.#config = config
    this.#given = given
    this.#router = router
    this.#watcher = new ProcessWatcher(log)
    this.switches = new Switches({
      store: store.switches,
      plugins: () => this.#asked(config.current),
      snapshot: () => router.snapshot,
      log,
      onChange: (plugins) => {
        this.take()
        for (const id of plugins) this.configured.tell(id)
      },
    })
    this.configured = new ConfiguredPlugins({
      router,
      toolLists: store.toolLists,
      externalHome: new ExternalHome(join(config.current.dataDir, 'external'), log),
      watcher: this.#watcher,
      secrets,
      log,
      hostOf,
      whyDisabled: (id) => this.switches.whyDisabled(id),
      onLeave,
    })
  }

  /**
   * Makes what the config in effect asks for, and the switches leave on, the plugins that there are. Throws `config`
   * for ids that can't be used.
   */
  take(): void {
    const plugins = this.switches.applyTo(this.#asked(this.#config.current))
    this.#router.switchOff(this.switches.tools)
    this.configured.take(plugins)
  }

  /** What another config would change. Throws `config` for ids that can't be used beside those of the application. */
  change(config: Config): ConfigChange {
    this.#asked(config)
    const switched = (one: Config): Config => ({ ...one, plugins: this.switches.applyTo(one.plugins) })
    return configChange(switched(this.#config.current), switched(config))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.switches[Symbol.dispose]()
    try {
      await this.configured[Symbol.asyncDispose]()
    } finally {
      await this.#watcher[Symbol.asyncDispose]()
    }
  }

  /** What is asked for, whether it is switched off or not. */
  #asked(config: Config): readonly PluginConfig[] {
    return [...givenPlugins(this.#given, config), ...config.plugins]
  }
}
