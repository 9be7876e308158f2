/** `callboard call TOOL`: runs one tool with arguments from flags, and writes what it answered. */
import type { CatalogTool } from '../../../catalog/catalog-tool.ts'
import { listedName } from '../../../catalog/listed-name.ts'
import { pluginIdsOf } from '../../../catalog/tool-lists.ts'
import { CallboardError, messageOf } from '../../../errors.ts'
import { isWritten, parseWritten, readJson } from '../../../exact-json.ts'
import { isObject } from '../../../is-object.ts'
import { decodedResult, encodedFields, encodedMembers } from '../../../plugins/encoded-result.ts'
import { isServing } from '../../../plugins/is-serving.ts'
import type { ToolResult } from '../../../plugins/plugin.ts'
import { shellWord } from '../../../shell-word.ts'
import { type CommandContext, untilAborted, writeJson } from '../command-context.ts'
import { findTool, requireTool, whyUnknown } from '../find-tool.ts'
import { type ParsedFlags, parseFlags } from '../flags/parse-flags.ts'
import { toolFlags } from '../flags/tool-flags.ts'
import { createAnswerPieces } from '../output/answer-pieces.ts'
import { oneLine } from '../output/plain-text.ts'
import { createProgressLine } from '../output/progress-line.ts'
import { writeToolResult } from '../output/tool-result.ts'
import { reasonOf, startPlugins } from '../start-plugins.ts'
import { detailsOf, detailsToJson, type ToolDetails, writeCallHelp } from './tool-details.ts'

type Arguments = Readonly<Record<string, unknown>>

function parseObject(text: string, source: string): Arguments {
  let value: unknown
  try {
    value = parseWritten(text)
  } catch (error) {
    throw new CallboardError('invalid_arguments', `${source} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  if (isObject(value) && !isWritten(value)) return value
  throw new CallboardError('invalid_arguments', `${source} must be a JSON object, such as {"a":1}`)
}

/** What was given one by one wins over the same names in `--args`. */
async function mergeArguments({ terminal, signal }: CommandContext, { json, values }: ParsedFlags): Promise<Arguments> {
  const single = Object.fromEntries(values)
  if (json === undefined) return single
  if (json !== '-') return { ...parseObject(json, '--args'), ...single }
  return { ...parseObject(await untilAborted(terminal.readStdin(), signal), 'standard input'), ...single }
}

/** Starts the plugins that give the tool, unless they are up. */
async function startOwners(context: CommandContext, tool: CatalogTool): Promise<void> {
  const pluginIds = pluginIdsOf(tool)
  // What is built in has no process and no state.
  const statuses = () => context.host.plugins().filter(({ id }) => pluginIds.includes(id))
  const stopped = statuses().filter(({ state }) => !isServing(state))
  if (stopped.length === 0) return
  await startPlugins(
    context,
    stopped.map(({ id }) => id),
  )
  // A host that serves says itself why it can't run a call, and since when.
  if (context.running !== undefined) return
  const [first, ...others] = statuses()
  if (first && [first, ...others].every(({ state }) => !isServing(state)))
    await refuse(context, tool.entry.namespacedName, new CallboardError('unavailable', reasonOf(first)))
}

/** Ends the call before its tool is run, and has the invoker refuse it too, so that it is recorded like every other. */
async function refuse({ host, user, signal }: CommandContext, name: string, reason: CallboardError): Promise<never> {
  const onResolve = () => {
    throw reason
  }
  await host.invoker.run({ name, arguments: {}, user, surface: 'cli', signal, onResolve })
  throw reason
}

/**
 * Runs the tool with this name and writes its result, or throws why it could not be run.
 * @param streams whether it answers in pieces, which are written as they come
 */
async function run(context: CommandContext, name: string, args: Arguments, streams = false): Promise<number> {
  const { host, terminal, user, signal } = context
  const { stdout, stderr } = terminal
  const redact = (text: string): string => host.secrets.redact(text)
  const progress = createProgressLine(stderr, redact)
  const pieces = streams && !context.json ? createAnswerPieces(stdout, redact, progress.onProgress) : undefined
  const onProgress = pieces?.onProgress ?? progress.onProgress
  const takesEncoded = pieces === undefined
  const { value, written } = readJson(JSON.stringify(args))
  const given = { arguments: Object(value), ...(written !== value && { writtenArguments: Object(written) }) }
  const request = { ...given, name, user, surface: 'cli', signal, takesEncoded } as const
  try {
    const result = await host.invoker
      .run(onProgress ? { ...request, onProgress } : request)
      .finally(() => progress[Symbol.dispose]())
    show(context, pieces ? pieces.rest(result) : result)
    return result.isError ? new CallboardError('tool_failed', '').exitCode : 0
  } catch (error) {
    pieces?.breakOff()
    throw error instanceof CallboardError ? mended(error, name) : error
  }
}

/** What came as bytes is left to the process that asked for it: reading it here would keep everybody else waiting. */
function show({ terminal, json }: CommandContext, result: ToolResult): void {
  const fields = encodedFields(result)
  if (fields === undefined) writeToolResult(terminal, result, { json })
  else if (terminal.showElsewhere === undefined) writeToolResult(terminal, decodedResult(result), { json })
  else terminal.showElsewhere(['{', ...encodedMembers(result, fields), '}'], { json })
}

/** Of arguments that do not fit, with the command that shows which would. */
function mended(error: CallboardError, name: string): CallboardError {
  if (error.code !== 'invalid_arguments') return error
  const mend = `look at the tool with \`callboard show ${shellWord(oneLine(name))}\``
  return new CallboardError(error.code, error.message, { cause: error, mend })
}

/** Whether only the help is wanted, as far as can be told before the tool's flags are known. */
function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || (words.length === 1 && words[0] === '-h')
}

export async function call(context: CommandContext, name: string, words: readonly string[]): Promise<number> {
  if (asksForHelp(words)) return help(context, detailsOf(await requireTool(context, name)))
  const known = await findTool(context, name)
  if (!known) {
    const why = await whyUnknown(context, name)
    if (why !== undefined) {
      const reason = new CallboardError('unavailable', why)
      await refuseCall(context, name, words, reason)
      throw reason
    }
    // The invoker says that there is no such tool, so that it is recorded like every other call.
    return run(context, name, {})
  }
  await startOwners(context, known)
  // Now that the plugin is up its schema may be newer, and the tool may be gone.
  const tool = await findTool(context, name)
  if (!tool) return run(context, name, {})
  const details = detailsOf(tool)
  const callName = listedName(details.entry, 'cli')
  const given = await readArguments(context, words, details).catch((error: unknown) => {
    const isMisused = error instanceof CallboardError && (error.code === 'usage' || error.code === 'invalid_arguments')
    if (isMisused) return refuse(context, callName, mended(error, callName))
    throw error
  })
  if (given === undefined) return help(context, details)
  // The name that was given means every bridge of the tool, also one that the user may not use: that is denied, and no mistake.
  const isOfProviders = details.entry.providers.length > 0
  return run(context, isOfProviders ? name : callName, given, tool.definition.streaming)
}

/** Undefined where only the help is wanted. */
async function readArguments(
  context: CommandContext,
  words: readonly string[],
  { inputSchema }: ToolDetails,
): Promise<Arguments | undefined> {
  const parsed = parseFlags(words, toolFlags(inputSchema))
  return parsed.help ? undefined : mergeArguments(context, parsed)
}

/**
 * Has a call recorded that the command line refuses before any tool is looked up; what the tool's help would say is no
 * call.
 */
export async function refuseCall(
  { host, user, signal }: CommandContext,
  name: string,
  words: readonly string[],
  refusal: CallboardError,
): Promise<void> {
  if (asksForHelp(words)) return
  try {
    await host.invoker.run({ name, arguments: {}, user, surface: 'cli', signal, refusal })
  } catch (error) {
    if (error !== refusal) throw error
  }
}

function help(context: CommandContext, details: ToolDetails): number {
  if (context.json) writeJson(context, detailsToJson(details))
  else writeCallHelp(context, details)
  return 0
}
