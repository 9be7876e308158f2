/** Has a call served by the first of several providers that is available. */
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { CallboardError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { AI_META, saysUnavailable } from '../plugins/ai-answer.ts'
import type { Progress, ToolResult } from '../plugins/plugin.ts'
import type { TimedRun } from './call-in-time.ts'

/** A call that any of several providers could serve. */
export interface SharedCall {
  /** The tool as the chosen provider serves it, and as those do who may serve the call instead. */
  readonly tool: CatalogTool
  readonly others: readonly CatalogTool[]
  readonly timed: TimedRun
  /** Has one of them serve the call. */
  readonly run: (tool: CatalogTool, timed: TimedRun) => Promise<ToolResult>
  /** Throws where one of the others can't take the arguments; it may know no such model. */
  readonly check: (tool: CatalogTool) => Promise<void>
  /** Told whose answer, or error, is given where that is not who was asked last. */
  readonly onAnswer: (tool: CatalogTool) => void
}

/**
 * What the chosen one gives, or, where that is unavailable and nothing was told to the caller yet, one of the others;
 * the result then says so. Where all are unavailable it is the chosen one's failure, which then names them.
 */
export async function firstAvailable({ tool, others, timed, run, check, onAnswer }: SharedCall): Promise<ToolResult> {
  let hasBegun = false
  const onProgress = (progress: Progress): void => {
    hasBegun = true
    timed.onProgress(progress)
  }
  const serve = (one: CatalogTool): Promise<Outcome> => outcome(() => run(one, { ...timed, onProgress }))
  const first = await serve(tool)
  const insteadOf = [providerOf(tool)]
  for (const other of isUnavailable(first) ? others : []) {
    if (hasBegun) break
    if (!(await takes(other, check))) continue
    const next = await serve(other)
    if (!isUnavailable(next)) return noted(settled(next), providerOf(other), insteadOf)
    insteadOf.push(providerOf(other))
  }
  onAnswer(tool)
  return withOthers(settled(first), insteadOf.slice(1))
}

type Outcome = { readonly result: ToolResult } | { readonly thrown: unknown }

async function outcome(run: () => Promise<ToolResult>): Promise<Outcome> {
  try {
    return { result: await run() }
  } catch (thrown) {
    return { thrown }
  }
}

function takes(tool: CatalogTool, check: SharedCall['check']): Promise<boolean> {
  return check(tool).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof CallboardError && (thrown.code === 'invalid_arguments' || thrown.code === 'denied'))
        return false
      throw thrown
    },
  )
}

function settled(outcome: Outcome): ToolResult {
  if ('thrown' in outcome) throw outcome.thrown
  return outcome.result
}

function isUnavailable(outcome: Outcome): boolean {
  if ('result' in outcome) return saysUnavailable(outcome.result)
  return outcome.thrown instanceof CallboardError && outcome.thrown.code === 'unavailable'
}

function providerOf({ entry }: CatalogTool): string {
  return entry.providers.join()
}

/** The failure of the chosen one, with those that were asked instead and are unavailable too. */
function withOthers(result: ToolResult, others: readonly string[]): ToolResult {
  if (others.length === 0) return result
  const note = `(asked instead, and unavailable too: ${others.join(', ')})`
  return { ...result, content: [...result.content, { type: 'text', text: note }] }
}

function noted(result: ToolResult, provider: string, insteadOf: readonly string[]): ToolResult {
  const answer = result._meta?.[AI_META]
  const note = `(answered by ${provider}, since ${insteadOf.join(' and ')} ${insteadOf.length > 1 ? 'are' : 'is'} unavailable)`
  return {
    ...result,
    content: [...result.content, { type: 'text', text: note }],
    _meta: { ...result._meta, [AI_META]: { ...(isObject(answer) ? answer : {}), provider, insteadOf } },
  }
}
