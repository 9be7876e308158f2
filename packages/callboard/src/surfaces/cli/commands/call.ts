/** `callboard call TOOL`: runs one tool with arguments from flags, and writes what it answered. */
import type { CatalogEntry } from '@callboard/sdk'
import { CallboardError, messageOf } from '../../../errors.ts'
import { isObject } from '../../../is-object.ts'
import { type CommandContext, untilAborted, writeJson } from '../command-context.ts'
import { findTool, requireTool, whyUnknown } from '../find-tool.ts'
import { parseExactJson } from '../flags/exact-json.ts'
import { type ParsedFlags, parseFlags } from '../flags/parse-flags.ts'
import { toolFlags } from '../flags/tool-flags.ts'
import { createProgressLine } from '../output/progress-line.ts'
import { writeToolResult } from '../output/tool-result.ts'
import { reasonOf, startPlugins } from '../start-plugins.ts'
import { detailsToJson, readDetails, type ToolDetails, writeCallHelp } from './tool-details.ts'

type Arguments = Readonly<Record<string, unknown>>

function parseObject(text: string, source: string): Arguments {
  let value: unknown
  try {
    value = parseExactJson(text, source)
  } catch (error) {
    if (error instanceof CallboardError) throw error
    throw new CallboardError('invalid_arguments', `${source} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  if (isObject(value)) return value
  throw new CallboardError('invalid_arguments', `${source} must be a JSON object, such as {"a":1}`)
}

/** What was given one by one wins over the same names in `--args`. */
async function mergeArguments({ terminal, signal }: CommandContext, { json, values }: ParsedFlags): Promise<Arguments> {
  const single = Object.fromEntries(values)
  if (json === undefined) return single
  if (json !== '-') return { ...parseObject(json, '--args'), ...single }
  return { ...parseObject(await untilAborted(terminal.readStdin(), signal), 'standard input'), ...single }
}

/** Starts the plugin that the tool belongs to, unless it is up. */
async function startOwner(context: CommandContext, { pluginId, namespacedName }: CatalogEntry): Promise<void> {
  const status = () => context.host.plugins().find((plugin) => plugin.id === pluginId)
  // What is built in has no process and no state.
  if (!status() || status()?.state === 'up') return
  await startPlugins(context, [pluginId])
  // A host that serves says itself why it can't run a call, and since when.
  if (context.running !== undefined) return
  const now = status()
  if (now && now.state !== 'up') await refuse(context, namespacedName, reasonOf(now))
}

/** Ends the call because its tool can't be reached, and has the invoker refuse it too, so that it is recorded like every other. */
async function refuse({ host, user, signal }: CommandContext, name: string, why: string): Promise<never> {
  const reason = new CallboardError('unavailable', why)
  const onResolve = () => {
    throw reason
  }
  try {
    await host.invoker.run({ name, arguments: {}, user, surface: 'cli', signal, onResolve })
  } catch (error) {
    // That there is no such tool is less than what is known here.
    if (!(error instanceof CallboardError && error.code === 'not_found')) throw error
  }
  throw reason
}

/** Runs the tool with this name and writes its result, or throws why it could not be run. */
async function run(context: CommandContext, name: string, args: Arguments): Promise<number> {
  const { host, terminal, user, signal } = context
  const progress = createProgressLine(terminal.stderr, (text) => host.secrets.redact(text))
  const request = { name, arguments: args, user, surface: 'cli', signal } as const
  const { onProgress } = progress
  const result = await host.invoker
    .run(onProgress ? { ...request, onProgress } : request)
    .finally(() => progress[Symbol.dispose]())
  if (context.json) writeJson(context, result)
  else writeToolResult(result.isError ? terminal.stderr : terminal.stdout, result)
  return result.isError ? new CallboardError('tool_failed', '').exitCode : 0
}

/** Whether only the help is wanted, as far as can be told before the tool's flags are known. */
function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || (words.length === 1 && words[0] === '-h')
}

export async function call(context: CommandContext, name: string, words: readonly string[]): Promise<number> {
  if (asksForHelp(words)) return help(context, await readDetails(context, await requireTool(context, name)))
  const known = await findTool(context, name)
  if (!known) {
    const why = await whyUnknown(context, name)
    if (why !== undefined) return refuse(context, name, why)
    // The invoker says that there is no such tool, so that it is recorded like every other call.
    return run(context, name, {})
  }
  await startOwner(context, known.entry)
  // Now that the plugin is up its schema may be newer, and the tool may be gone.
  const tool = await findTool(context, name)
  if (!tool) return run(context, name, {})
  const details = await readDetails(context, tool)
  const parsed = parseFlags(words, toolFlags(details.inputSchema))
  if (parsed.help) return help(context, details)
  return run(context, details.entry.namespacedName, await mergeArguments(context, parsed))
}

function help(context: CommandContext, details: ToolDetails): number {
  if (context.json) writeJson(context, detailsToJson(details))
  else writeCallHelp(context, details)
  return 0
}
