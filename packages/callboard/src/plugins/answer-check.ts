/** Whether the data that a plugin answers fits what its tool says of it. */
import type { ToolDefinition } from '@callboard/sdk'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { CheckedSchema } from '../tools/schema/checked-schema.ts'
import { measureJson } from '../tools/schema/measure-json.ts'
import type { ToolResult } from './plugin.ts'

/** A recursive schema follows what is deeper on the stack. */
const MAX_DEPTH = 128

/**
 * For plugins that are written for Callboard; what an MCP server answers passes untouched. A schema is compiled at the
 * first answer, and kept as long as its definition.
 */
export class AnswerCheck {
  readonly #log: Pick<Log, 'warn'>
  /** Undefined where it can't be used. */
  readonly #schemas = new WeakMap<ToolDefinition, CheckedSchema | undefined>()

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  /**
   * Why the data does not fit, in words that name its place; undefined where it does, for an answer that says that the
   * tool failed, and where the schema can't be used or takes too long, which is in the log.
   */
  async misfit(definition: ToolDefinition, { isError, structuredContent }: ToolResult): Promise<string | undefined> {
    const { outputSchema } = definition
    if (outputSchema === undefined || isError === true || structuredContent === undefined) return undefined
    if (measureJson(structuredContent, MAX_DEPTH) === undefined)
      return misfitOf([`structuredContent: nested deeper than ${MAX_DEPTH} levels`])
    const { checkedSchema } = await import('../tools/schema/checked-schema.ts')
    try {
      if (!this.#schemas.has(definition)) {
        this.#schemas.set(definition, undefined)
        this.#schemas.set(definition, checkedSchema(outputSchema))
      }
      const problems = this.#schemas.get(definition)?.problems(structuredContent, 'structuredContent') ?? []
      return problems.length === 0 ? undefined : misfitOf(problems)
    } catch (error) {
      this.#log.warn(
        { tool: definition.name },
        `an answer is not checked against its outputSchema: ${messageOf(error)}`,
      )
      return undefined
    }
  }
}

function misfitOf(problems: readonly string[]): string {
  return `its answer does not fit its outputSchema: ${problems.join('; ')}`
}
