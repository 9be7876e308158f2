/** `testPlugin()`: runs the tools of a plugin in a test, as a host would and without one. */
import type { DefinedPlugin, DefinedTool } from '../define-plugin.ts'
import { runTool } from '../run-tool.ts'
import type { ToolContext } from '../tool-action.ts'
import type { Surface } from '../tool-definition.ts'
import type { Progress, ToolResult } from '../tool-result.ts'
import { kitCatalog, namespacedNameOf } from './kit-catalog.ts'
import { type KitUsers, lackingPermission, OWNER } from './kit-gate.ts'
import { answerProblems, argumentProblems } from './schema-problems.ts'
import { type LoggedMessage, type RunOutcome, ToolRun } from './tool-run.ts'

/** Who there is besides the owner, and what else. */
export interface KitOptions {
  /**
   * Patterns of permissions by user, as the roles of a config grant them; `*` stands for any run of characters. The
   * user `owner` may do everything, and who is not named here nothing.
   */
  readonly users?: KitUsers
  /** Plugins whose tools those under test find and call. */
  readonly others?: readonly DefinedPlugin[]
}

/** What may accompany a call. */
export interface KitCall {
  /** The acting user. Defaults to `owner`. */
  readonly user?: string
  /** Where the call comes from. Defaults to `mcp`. */
  readonly surface?: Surface
  /** The caller's way to cancel. */
  readonly signal?: AbortSignal
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A plugin under test. */
export interface PluginKit {
  /**
   * Runs a tool and resolves when it has ended, whatever came of it; the assertions are on what it resolves with. It
   * takes the steps of a host, but for those around a call: no timeout, no limit of calls at a time, no audit.
   * @param name the declared name of a tool, or the namespaced name of any
   */
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>, options?: KitCall) => Promise<ToolRun>
}

/** Makes the tools of the plugin callable. */
export function testPlugin(plugin: DefinedPlugin, options: KitOptions = {}): PluginKit {
  return new Kit(plugin, options)
}

/** A call with all that accompanies it; one that its tool makes is accompanied by the same. */
interface Call extends Required<KitCall> {
  readonly progress: Progress[]
  readonly logged: LoggedMessage[]
}

/** What is called. */
interface Called {
  readonly name: string
  readonly tool: DefinedTool | undefined
  readonly args: Readonly<Record<string, unknown>>
}

type Ended = Pick<ToolRun, 'outcome' | 'message' | 'result'>

class Kit implements PluginKit {
  readonly #plugin: DefinedPlugin
  readonly #tools: readonly DefinedTool[]
  readonly #users: KitUsers

  constructor(plugin: DefinedPlugin, { users = {}, others = [] }: KitOptions) {
    this.#plugin = plugin
    this.#tools = [plugin, ...others].flatMap(({ tools }) => tools)
    this.#users = users
  }

  readonly call: PluginKit['call'] = async (name, args = {}, options = {}) => {
    const { user = OWNER, surface = 'mcp', signal = new AbortController().signal, meta = {} } = options
    const call: Call = { user, surface, signal, meta, progress: [], logged: [] }
    const ended = await this.#run({ name, tool: this.#find(name), args }, call)
    const { progress, logged } = call
    return new ToolRun({ ...ended, call: `the call of ${JSON.stringify(name)} by ${user}`, progress, logged })
  }

  /** The steps of a host, in its order. */
  async #run({ name, tool, args }: Called, call: Call): Promise<Ended> {
    const { user, surface, signal } = call
    if (tool === undefined)
      return notRun('unknown', `there is no tool ${JSON.stringify(name)}; the plugin has ${this.#names()}`)
    const { definition } = tool
    if (!isOffered(tool, surface)) return notRun('denied', `it is not offered on the surface ${surface}`)
    const lacking = lackingPermission(this.#users, call, definition)
    if (lacking !== undefined) return notRun('denied', `${user} lacks the permission ${lacking}`)
    const problems = argumentProblems(definition, args)
    if (problems.length > 0) return notRun('invalid', problems.join('; '))
    if (signal.aborted) return notRun('cancelled', 'its signal was aborted before it ran')
    const outcome = await runTool(tool, args, this.#contextOf(call))
    if (signal.aborted) return notRun('cancelled', 'its signal was aborted before it had answered')
    switch (outcome.kind) {
      case 'answered': {
        const misfits = answerProblems(definition, outcome.result)
        if (misfits.length > 0)
          return notRun('failed', `its answer does not fit its outputSchema: ${misfits.join('; ')}`)
        return { outcome: outcome.result.isError === true ? 'tool_error' : 'ok', message: '', result: outcome.result }
      }
      case 'invalid':
        return notRun('invalid', outcome.problems.join('; '))
      case 'failed':
        return notRun('failed', outcome.reason)
    }
  }

  #contextOf(call: Call): ToolContext {
    const { user, signal, meta, progress, logged } = call
    const visible = this.#visibleTo(call)
    const write =
      (level: LoggedMessage['level']) =>
      (message: string, fields: LoggedMessage['fields'] = {}): void =>
        void logged.push({ level, message, fields })
    return {
      user,
      signal,
      meta,
      catalog: kitCatalog(visible),
      log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      progress: (step) => void progress.push(step),
      call: async (name, args = {}) => {
        const tool = visible.find((one) => namespacedNameOf(one) === name)
        return resultOf(name, await this.#run({ name, tool, args }, call))
      },
    }
  }

  #find(name: string): DefinedTool | undefined {
    const own = this.#plugin.tools.find(({ definition }) => definition.name === name)
    return own ?? this.#tools.find((tool) => namespacedNameOf(tool) === name)
  }

  #visibleTo(call: Call): readonly DefinedTool[] {
    return this.#tools.filter(
      (tool) => isOffered(tool, call.surface) && lackingPermission(this.#users, call, tool.definition) === undefined,
    )
  }

  #names(): string {
    return this.#plugin.tools.map(({ definition }) => JSON.stringify(definition.name)).join(', ')
  }
}

function notRun(outcome: RunOutcome, message: string): Ended {
  return { outcome, message, result: undefined }
}

function isOffered({ definition }: DefinedTool, surface: Surface): boolean {
  return definition.surfaces?.includes(surface) ?? true
}

/** A call by a tool rejects where there is no result, as the host's does. */
function resultOf(name: string, { outcome, message, result }: Ended): ToolResult {
  if (result !== undefined) return result
  const hint =
    outcome === 'unknown'
      ? '; tools are called by their namespaced names here, such as plugin:acme/hello:acme.hello.echo'
      : ''
  throw new Error(`${JSON.stringify(name)} was not run (${outcome}): ${message}${hint}`)
}
