/** The JSON Schema of callboard.yaml, for editors. */
import { z } from 'zod'
import { configSchema } from './config-schema.ts'

/** The schema of what may be written, as draft-07: the one that editors know. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' })
  return { ...schema, title: 'callboard.yaml' }
}
