/** The JSON Schema of plugin.yaml, for editors. */
import { z } from 'zod'
import {
  argumentFields,
  dottedName,
  FOREIGN_SECTIONS,
  manifestFields,
  surface,
  tag,
  toolFields,
} from './manifest-schema.ts'

const foreign = z.unknown().describe('Of SIGNALS; not read by Callboard.').optional()

/** The list `like` with its items told; the reader of a manifest looks at each item by itself. */
function listOf(item: z.ZodType, like: z.ZodType): z.ZodType {
  return z
    .array(item)
    .optional()
    .describe(like.description ?? '')
}

/** The schema of what may be written, as draft-07: the one that editors know. */
export function manifestJsonSchema(): Readonly<Record<string, unknown>> {
  const tool = z
    .strictObject({
      ...toolFields,
      surfaces: listOf(surface, toolFields.surfaces).meta({ minItems: 1 }),
      args: listOf(z.strictObject(argumentFields), toolFields.args),
      tags: listOf(tag, toolFields.tags),
    })
    .meta({ not: { required: ['args', 'input_schema'] } })
  const manifest = z.strictObject({
    $schema: z.string().describe('Where this schema is; for editors.').optional(),
    ...manifestFields,
    permissions: listOf(dottedName, manifestFields.permissions),
    tools: listOf(tool, manifestFields.tools),
    ...Object.fromEntries([...FOREIGN_SECTIONS].map((key) => [key, foreign])),
  })
  return { ...z.toJSONSchema(manifest, { io: 'input', target: 'draft-7' }), title: 'plugin.yaml' }
}
