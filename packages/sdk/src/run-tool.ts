/** Runs a tool of a plugin as every host has to: the plugin's own look at the arguments, the action, and its answer. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { DefinedTool } from './define-plugin.ts'
import { guardedContext } from './guarded-context.ts'
import { type Json, NotJsonError, pathText, plainJson } from './plain-json.ts'
import { textOfThrown } from './text-of-thrown.ts'
import { toToolResult } from './to-tool-result.ts'
import type { ToolContext } from './tool-action.ts'
import type { ToolResult } from './tool-result.ts'

/** How a run ended. */
export type ToolOutcome =
  | { readonly kind: 'answered'; readonly result: ToolResult }
  /** The arguments are not right; a phrase for each problem. The action did not run. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  /** It threw, or what it answered is no result; `cause` is what was thrown. */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: unknown }

const MAX_PROBLEMS = 8

/**
 * Runs the tool with arguments that fit its JSON Schema already; they are copied first. Never rejects, and settles when
 * the action does: whoever bounds its time looks at the signal in the context.
 */
export async function runTool(
  tool: DefinedTool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolOutcome> {
  const given = copied(args)
  if (given instanceof NotJsonError) return { kind: 'invalid', problems: [given.message] }
  let step = 'its arguments could not be checked: '
  try {
    const parsed = tool.schema === undefined ? { value: given } : await tool.schema['~standard'].validate(given)
    if (parsed.issues !== undefined)
      return { kind: 'invalid', problems: parsed.issues.slice(0, MAX_PROBLEMS).map(phraseOf) }
    step = ''
    // What the schema puts out is what the action takes; `tool()` has checked it with the types.
    const answer: unknown = await tool.run(parsed.value as never, guardedContext(context))
    step = 'its answer is no result: '
    return { kind: 'answered', result: checkedOutput(tool, toToolResult(answer)) }
  } catch (thrown) {
    return { kind: 'failed', reason: `${step}${textOfThrown(thrown)}`, cause: thrown }
  }
}

function copied(args: unknown): Json | NotJsonError {
  try {
    return plainJson(args)
  } catch (thrown) {
    if (thrown instanceof NotJsonError) return thrown
    throw thrown
  }
}

/** Clients refuse a result without the data that the tool said it would have. */
function checkedOutput({ definition }: DefinedTool, result: ToolResult): ToolResult {
  if (definition.outputSchema === undefined || result.isError === true || result.structuredContent !== undefined)
    return result
  throw new NotJsonError('the tool has an `outputSchema`, and the answer no `structuredContent`; answer with json()')
}

function phraseOf({ message, path = [] }: StandardSchemaV1.Issue): string {
  const at = pathText(path.map((step) => (typeof step === 'object' ? step.key : step)))
  return at === '' ? message : `${at}: ${message}`
}
