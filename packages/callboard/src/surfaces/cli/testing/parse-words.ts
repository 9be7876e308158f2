/**
 * Reads words as `callboard call TOOL` does, for tests: the arguments, or the exit code and message of what is wrong.
 */
import type { JsonSchema } from '@callboard/sdk'
import { CallboardError } from '../../../errors.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { toolFlags } from '../flags/tool-flags.ts'

export const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})

export const SCHEMA: JsonSchema = object({
  message: { type: 'string' },
  count: { type: 'integer' },
  ratio: { type: 'number' },
  dryRun: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
  sizes: { type: 'array', items: { type: 'integer' } },
  filter: { type: 'object' },
  max_items: { type: 'integer' },
  anything: {},
  level: { enum: ['low', 'high', 3, null] },
})

export function parse(words: readonly string[], schema: JsonSchema = SCHEMA): Record<string, unknown> {
  return Object.fromEntries(parseFlags(words, toolFlags(schema)).values)
}

export function failure(words: readonly string[], schema: JsonSchema = SCHEMA): string {
  try {
    parse(words, schema)
  } catch (error) {
    if (error instanceof CallboardError) return `${error.exitCode} ${error.message}`
    throw error
  }
  return 'no error'
}
