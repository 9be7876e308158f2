/** One link with a host, as the plugin serves it: who is there, which tools, calls, health and the end. */
import type { DefinedPlugin, DefinedTool } from '../../define-plugin.ts'
import { textOfThrown } from '../../text-of-thrown.ts'
import type { Link } from '../link/link.ts'
import { LinkError } from '../link/link-error.ts'
import { Asker } from '../protocol/asker.ts'
import { describeTool } from '../protocol/describe-tool.ts'
import { Fault_Code, HealthResult_Status, type Hello, type ToolRequest } from '../protocol/generated/plugin_pb.ts'
import type { ResponseBody } from '../protocol/messages.ts'
import { type ServedRequest, serveLink } from '../protocol/serve-link.ts'
import { manifestOf } from './plugin-manifest.ts'
import type { ServeOptions } from './serve-options.ts'
import { fault, serveCall } from './served-call.ts'

/** The highest version of the protocol that is spoken here. */
const VERSION = 1
const SOFTWARE = `callboard sdk, node ${process.versions.node}`

/** A plugin, with its tools by their declared names. */
export interface Served {
  readonly plugin: DefinedPlugin
  readonly tools: ReadonlyMap<string, DefinedTool>
}

export interface HostLinkOptions {
  readonly link: Link
  /** What is served now. */
  readonly served: () => Served
  readonly options: ServeOptions
  /** The host has said hello. */
  readonly onGreeted: () => void
  /** The plugin is to end within so many seconds. Resolves with whether every call came to its own end. */
  readonly shutDown: (timeoutSeconds: number) => Promise<boolean>
  /** Aborted when the plugin takes no more calls. */
  readonly closing: AbortSignal
  /** Aborted when the plugin can wait for its calls no longer. */
  readonly ending: AbortSignal
  readonly report: (text: string) => void
}

export class HostLink {
  readonly #options: HostLinkOptions
  readonly #asker: Asker
  readonly #running = new Set<Promise<ResponseBody>>()
  #isGreeted = false

  constructor(options: HostLinkOptions) {
    this.#options = options
    this.#asker = new Asker(options.link)
  }

  /** Serves until the link ends; resolves with the reason. */
  serve(): Promise<LinkError> {
    return serveLink(this.#options.link, (request) => this.#answer(request))
  }

  /** Resolves when none of the calls that run now does. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  /** Tells the host that there are other tools; one that has not said hello yet asks for them anyway. */
  async tellOfTools(): Promise<void> {
    if (!this.#isGreeted) return
    try {
      const answer = await this.#asker.ask({ case: 'toolsChanged', value: {} })
      if (answer.case === 'fault') throw new Error(answer.value.message)
    } catch (error) {
      // One that has gone asks anew when it is back.
      if (!(error instanceof LinkError))
        this.#options.report(`the host hears of no other tools: ${textOfThrown(error)}`)
    }
  }

  async #answer(request: ServedRequest): Promise<ResponseBody> {
    const { body } = request
    if (body.case === 'hello') return this.#greet(body.value)
    if (!this.#isGreeted) return fault(Fault_Code.INVALID, 'the first request of a host is `hello`')
    switch (body.case) {
      case 'listTools':
        return {
          case: 'listTools',
          value: { tools: this.#options.served().plugin.tools.map((tool) => describeTool(tool.definition)) },
        }
      case 'toolCall':
        return await this.#call(request, body.value)
      case 'health':
        return await this.#health()
      case 'shutdown':
        return { case: 'shutdown', value: { clean: await this.#options.shutDown(body.value.timeoutSeconds) } }
      default:
        return fault(Fault_Code.UNKNOWN_REQUEST, `nothing serves ${body.case ?? 'such a request'} here`)
    }
  }

  #greet({ version }: Hello): ResponseBody {
    if (version < 1) return fault(Fault_Code.INVALID, `there is no version ${version} of the protocol; say 1 or higher`)
    if (!this.#isGreeted) this.#options.onGreeted()
    this.#isGreeted = true
    const { served, options } = this.#options
    const manifest = manifestOf(served().plugin, options)
    return { case: 'hello', value: { version: VERSION, software: SOFTWARE, manifest } }
  }

  async #health(): Promise<ResponseBody> {
    let message: string | undefined
    try {
      message = await this.#options.options.health?.()
    } catch (thrown) {
      message = textOfThrown(thrown)
    }
    const status = message === undefined ? HealthResult_Status.HEALTHY : HealthResult_Status.DEGRADED
    return { case: 'health', value: { status, ...(message !== undefined && { message }) } }
  }

  async #call(request: ServedRequest, call: ToolRequest): Promise<ResponseBody> {
    const { served, closing, ending, report } = this.#options
    const tool = served().tools.get(call.toolName)
    if (tool === undefined) return fault(Fault_Code.NOT_FOUND, `there is no tool ${JSON.stringify(call.toolName)} here`)
    if (closing.aborted) return fault(Fault_Code.UNAVAILABLE, 'the plugin is ending')
    const running = serveCall({ tool, request, call, asker: this.#asker, ending, report })
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }
}
