/**
 * The invoker of a host: what its calls need, asked for anew by each, since another config or gate may decide by then.
 */
import { offerOf } from '../catalog/catalog-tool.ts'
import { type AssembledInvoker, createToolInvoker } from '../invoke/tool-invoker.ts'
import type { Views } from '../invoke/views.ts'
import type { Log } from '../log.ts'
import type { Router } from '../plugins/router.ts'
import type { Secrets } from '../secrets.ts'
import type { CallAudit } from './call-audit.ts'
import type { ConfigInEffect } from './config-in-effect.ts'
import type { ConfiguredPlugins } from './configured-plugins.ts'

export interface HostInvokerOptions {
  readonly config: ConfigInEffect
  readonly router: Router
  readonly views: Views
  readonly plugins: ConfiguredPlugins
  readonly audit: CallAudit
  readonly secrets: Secrets
  readonly log: Log
}

export function createHostInvoker(options: HostInvokerOptions): AssembledInvoker {
  const { config, router, views, plugins, audit, secrets, log } = options
  return createToolInvoker({
    view: (user, surface, viewOptions) => views.of(user, surface, viewOptions),
    pluginOf: (tool) => plugins.calleeOf(tool),
    firstStartOf: (tool) => plugins.firstStartOf(tool),
    unknownStarts: () => plugins.unknownStarts(),
    excerpt: (text, max) => secrets.excerpt(text, max),
    get gate() {
      return views.gate
    },
    get limits() {
      return config.current.limits
    },
    get providers() {
      return config.current.ai
    },
    timeoutOf: (definition) => plugins.timeoutOf(definition),
    concurrencyOf: (definition) => plugins.concurrencyOf(definition, config.current.limits.concurrency),
    known: (name, provider) => {
      const tool = router.snapshot.find(name)
      return (provider === undefined ? tool : tool && offerOf(tool, provider))?.definition
    },
    record: (record, call) => audit.record(record, call),
    get isRecordingBroken() {
      return audit.isBroken
    },
    log,
  })
}
