/** Has a call served by the first of several providers that is available. */
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { CallboardError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { AI_META, saysUnavailable } from '../plugins/ai-answer.ts'
import type { ToolResult } from '../plugins/plugin.ts'

export interface Service {
  /** Has this one serve the call. */
  readonly run: (tool: CatalogTool) => Promise<ToolResult>
  /** Whether one of the others may: it takes these arguments. */
  readonly mayServe: (tool: CatalogTool) => Promise<boolean>
  /** Whether the caller has a part of an answer already. */
  readonly hasBegun: () => boolean
}

/** What the chosen one gives, or, where that is unavailable, one of the others; the result then says so. */
export async function firstAvailable(
  chosen: CatalogTool,
  others: readonly CatalogTool[],
  { run, mayServe, hasBegun }: Service,
): Promise<ToolResult> {
  const first = await outcome(() => run(chosen))
  const insteadOf = [providerOf(chosen)]
  for (const other of isUnavailable(first) ? others : []) {
    if (hasBegun()) break
    if (!(await mayServe(other))) continue
    const next = await outcome(() => run(other))
    if (!isUnavailable(next)) return noted(settled(next), providerOf(other), insteadOf)
    insteadOf.push(providerOf(other))
  }
  return settled(first)
}

type Outcome = { readonly result: ToolResult } | { readonly thrown: unknown }

async function outcome(run: () => Promise<ToolResult>): Promise<Outcome> {
  try {
    return { result: await run() }
  } catch (thrown) {
    return { thrown }
  }
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

function noted(result: ToolResult, provider: string, insteadOf: readonly string[]): ToolResult {
  const answer = result._meta?.[AI_META]
  const note = `(answered by ${provider}, since ${insteadOf.join(' and ')} ${insteadOf.length > 1 ? 'are' : 'is'} unavailable)`
  return {
    ...result,
    content: [...result.content, { type: 'text', text: note }],
    _meta: { ...result._meta, [AI_META]: { ...(isObject(answer) ? answer : {}), provider, insteadOf } },
  }
}
