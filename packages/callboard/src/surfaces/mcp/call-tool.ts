/** Answers `tools/call`: runs any tool of the view by its public or namespaced name, and passes on what it answers. */
import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { CallboardError, messageOf, UpstreamError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { encodedFields, encodedResult, type JsonBytes } from '../../plugins/encoded-result.ts'
import type { Progress, ToolResult } from '../../plugins/plugin.ts'
import { namespacedName } from '../../tools/names.ts'
import { answerToError } from './answer-to-error.ts'
import { callLogTo } from './call-log.ts'
import { firstStart } from './first-start.ts'
import { headerFault } from './header-fault.ts'
import type { IncomingCall } from './incoming-call.ts'
import { isWrappedForLegacy } from './legacy-tool.ts'
import { listedTools } from './listed-tools.ts'
import { writtenArguments } from './written-arguments.ts'

interface CallParams {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Speaks of the hop between this client and this server, so it goes no further. */
const OWN_META = 'io.modelcontextprotocol/'

/** Runs the tool. Throws `ProtocolError` for what JSON-RPC answers with an error; everything else is a result. */
export async function callTool(call: IncomingCall): Promise<Result> {
  const { host, options, ctx } = call
  const { name, args } = readParams(call.request.params)
  const meta = passedOn(ctx.mcpReq._meta)
  const onProgress = progressTo(call)
  const log = callLogTo(call)
  let fault: ProtocolError | undefined
  let found: Found | undefined
  try {
    const target = options.only === undefined ? { name } : await targetOf(call, options.only, name)
    const result = await host.invoker.run({
      ...target,
      onResolve: (tool, view) => {
        found = { tool, view }
        fault = faultOf(call, { name, args }, found)
        if (fault !== undefined) throw new CallboardError('invalid_arguments', fault.message)
      },
      arguments: args,
      writtenArguments: writtenArguments(args),
      user: options.user,
      surface: 'mcp',
      signal: ctx.mcpReq.signal,
      takesEncoded: true,
      meta,
      onProgress,
      log,
    })
    return { ...(options.era === 'legacy' ? forLegacy(call, name, found, result) : result) }
  } catch (thrown) {
    if (fault !== undefined || isWantingCapability(thrown)) options.exchange?.answerWith(400)
    if (fault !== undefined) throw fault
    return answerToError(inWordsOfOne(thrown, options.only, name), host, options.era)
  }
}

/** What a call turned out to mean, in the one view of its request. */
interface Found {
  readonly tool: CatalogTool
  readonly view: CatalogView
}

/** Clients repeat arguments in headers for tools that they were listed, and for no others. */
function faultOf({ options }: IncomingCall, { name, args }: CallParams, { tool, view }: Found) {
  const fault = options.exchange && headerFault(tool, args, options.exchange.headers)
  return fault && listedTools(view, options).find(name) === tool ? fault : undefined
}

function isWantingCapability(thrown: unknown): boolean {
  return thrown instanceof UpstreamError && thrown.rpcCode === ProtocolErrorCode.MissingRequiredClientCapability
}

function readParams(params: JSONRPCRequest['params']): CallParams {
  const name: unknown = params?.name
  const args: unknown = params?.arguments ?? {}
  if (typeof name !== 'string') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'params.name must be the name of a tool')
  }
  if (!isObject(args)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'params.arguments must be an object')
  return { name, args }
}

function passedOn(meta: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  if (meta === undefined) return undefined
  const kept = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith(OWN_META))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}

/** Sends each step to the client under the token that it chose, if it chose one. */
function progressTo({ host, ctx }: IncomingCall): ((progress: Progress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return ({ progress, total, message }) => {
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: host.secrets.redact(message) }),
    }
    ctx.mcpReq
      .notify({ method: 'notifications/progress', params })
      .catch((thrown: unknown) => host.log.debug({ err: messageOf(thrown) }, 'a progress message was not delivered'))
  }
}

/**
 * The name for the invoker where one plugin alone is offered: a tool is called by the name its plugin declared and by
 * no other. What is not listed is refused by the invoker too, so that it is recorded like every other call.
 */
async function targetOf(
  { host, options, ctx }: IncomingCall,
  only: string,
  name: string,
): Promise<{ readonly name: string; readonly view: CatalogView }> {
  await firstStart(host, only, ctx.mcpReq.signal)
  const view = await host.view(options.user, 'mcp')
  return { name: listedTools(view, options).find(name)?.entry.namespacedName ?? namespacedName(only, name), view }
}

/** A client of one plugin knows its tools by no other names than those that are declared. */
function inWordsOfOne(thrown: unknown, only: string | undefined, name: string): unknown {
  if (only === undefined || !(thrown instanceof CallboardError) || thrown.code !== 'not_found') return thrown
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `"${only}" has no tool named "${name}"; tools/list has them all`,
  )
}

/**
 * Before 2026-07-28 `structuredContent` was always an object, and a client refuses any other. The SDK rewrites the
 * output schema of such a tool in the list; what the tool answers has to follow, objects too where they were listed so.
 */
function forLegacy({ options }: IncomingCall, name: string, found: Found | undefined, result: ToolResult): ToolResult {
  const fields = encodedFields(result) ?? new Map<string, JsonBytes>()
  const bytes = fields.get('structuredContent')
  const value = result.structuredContent
  if (value === undefined && bytes === undefined) return result
  const isWrapped = isWrappedForLegacy(found?.tool.definition.outputSchema)
  const isListed = found !== undefined && listedTools(found.view, options).find(name) !== undefined
  const isAnObject = bytes === undefined ? isObject(value) : bytes[0]?.[0] === OPEN_OBJECT
  if (isAnObject && !(isWrapped && isListed)) return result
  if (bytes === undefined) return { ...result, structuredContent: { result: value } }
  const wrapped = [Buffer.from('{"result":'), ...bytes, Buffer.from('}')]
  return encodedResult(new Map(fields).set('structuredContent', wrapped), result)
}

const OPEN_OBJECT = 0x7b
