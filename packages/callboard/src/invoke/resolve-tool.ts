/** Which tool a call means: the one in the user's view that has the name. */
import type { Surface } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { CatalogView } from '../catalog/catalog-view.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { CallboardError } from '../errors.ts'
import type { ActingUser } from '../gate/acting-user.ts'

/** Names are shown and recorded no longer than this. */
const MAX_NAME = 128

/** What a view may be asked for with. */
export interface ViewOptions {
  /** The view with which the request began. */
  readonly before?: CatalogView
  readonly signal?: AbortSignal | undefined
}

/** Where tools are looked up. */
export interface ToolSource {
  /** What the user may see on the surface; nothing else can be called. */
  view(user: ActingUser, surface: Surface, options?: ViewOptions): CatalogView | Promise<CatalogView>
  /**
   * The first starts, while they run, of plugins of which no tool is known yet; never rejects. A call of a tool that is
   * not there waits for them before that is said.
   */
  unknownStarts?(): Promise<unknown> | undefined
  /** The first characters of a text from outside, at most `max`, without a secret of the host or a part of one. */
  excerpt?(text: string, max: number): string
}

/** A name as it is shown and recorded; secrets are looked for before it is cut, since nothing knows a half of one. */
export function shownName(name: string, { excerpt }: Pick<ToolSource, 'excerpt'>): string {
  return excerpt?.(name, MAX_NAME) ?? name.slice(0, MAX_NAME)
}

/** A tool by the name that the caller gave. */
export interface NamedTool {
  readonly name: string
  readonly user: ActingUser
  /** Defaults to `mcp`. */
  readonly surface?: Surface
  readonly signal?: AbortSignal
  /** The view to look in, instead of the one of this moment. */
  readonly view?: CatalogView
}

/** A tool, and the view in which it was found. */
export interface FoundTool {
  readonly view: CatalogView
  readonly tool: CatalogTool
}

/**
 * Finds the tool in the view of this moment, or, while plugins start for the first time, in the view once they are
 * known. Answers at once where it is there already. Rejects with `not_found`, with names that are close.
 */
export function resolveTool(source: ToolSource, named: NamedTool): FoundTool | Promise<FoundTool> {
  const { user, surface = 'mcp', signal, view = source.view(user, surface, { signal }) } = named
  return view instanceof Promise ? view.then((seen) => find(source, named, seen)) : find(source, named, view)
}

function find(source: ToolSource, named: NamedTool, view: CatalogView): FoundTool | Promise<FoundTool> {
  const tool = view.resolve(named.name)
  return tool === undefined ? findLater(source, named, view) : { view, tool }
}

async function findLater(source: ToolSource, named: NamedTool, now: CatalogView): Promise<FoundTool> {
  const { user, surface = 'mcp', signal } = named
  const starts = source.unknownStarts?.()
  if (starts === undefined) return { view: now, tool: await resolve(source, named, now) }
  await untilAborted(starts, signal)
  const later = await source.view(user, surface, { before: now, signal })
  return { view: later, tool: await resolve(source, named, later) }
}

function untilAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return work
  const aborted = Promise.withResolvers<void>()
  const abort = (): void => aborted.resolve()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

async function resolve(source: ToolSource, named: NamedTool, view: CatalogView): Promise<CatalogTool> {
  const tool = view.resolve(named.name)
  if (tool !== undefined) return tool
  const shown = shownName(named.name, source)
  const guess = await didYouMean(view, shown, named)
  throw new CallboardError('not_found', `no tool named ${JSON.stringify(shown)}${guess}`)
}
