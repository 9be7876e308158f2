/** What a plugin of the existing protocol says of itself when it calls the host for the first time. */
import type { PluginManifest, ResponseBody } from '@callboard/sdk/external'
import type { OrchestraGrants } from '../../../config/config.ts'
import { CallboardError } from '../../../errors.ts'

/** How long a plugin that is ready may take. Some never do it. */
const PATIENCE_MS = 5_000

export class Registration {
  readonly #pluginId: string
  readonly #settled = Promise.withResolvers<void>()
  #manifest: PluginManifest | undefined

  constructor(pluginId: string) {
    this.#pluginId = pluginId
    // Whether somebody waits for it yet or not.
    this.#settled.promise.catch(() => {})
  }

  /** As the plugin gave it; undefined for one that did not register. */
  get manifest(): PluginManifest | undefined {
    return this.#manifest
  }

  take(manifest: PluginManifest): ResponseBody {
    if (manifest.id === this.#pluginId) {
      this.#manifest = manifest
      this.#settled.resolve()
      return { case: 'register', value: { accepted: true } }
    }
    const rejectReason = `it says it is ${JSON.stringify(manifest.id.slice(0, 200))}, and is started as "${this.#pluginId}"`
    this.#settled.reject(new CallboardError('config', rejectReason))
    return { case: 'register', value: { accepted: false, rejectReason } }
  }

  /** Resolves when it has registered, or takes too long. Throws `config` when it registers as somebody else. */
  async wait(signal: AbortSignal): Promise<void> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    const over = new Promise<void>((resolve) => {
      if (late.aborted) resolve()
      late.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([this.#settled.promise, over])
    signal.throwIfAborted()
  }

  /** What it needs by its own words and is not granted, a sentence each. */
  shortcomings({ storage, tools, events, permissions }: OrchestraGrants): readonly string[] {
    const { needsStorage = [], needsTools = [], needsEvents = [] } = this.#manifest ?? {}
    const wants = [
      ['storage', needsStorage, storage],
      ['tools', needsTools, tools || permissions.length > 0],
      ['events', needsEvents, events],
    ] as const
    return wants
      .filter(([, needs, has]) => needs.length > 0 && !has)
      .map(([grant, needs]) => `it needs ${grant} (${needs.slice(0, 10).join(', ')}); its \`grants\` have no ${grant}`)
  }
}
