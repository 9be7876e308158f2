/** Says which keys a schema knows at a place, so that an unknown one can be mended. */
import { z } from 'zod'
import type { SourcePath } from './source-node.ts'

/** The keys of the mapping at `path`; empty where any key may stand. */
export function knownKeys(schema: z.ZodType, path: SourcePath): readonly string[] {
  const bare = unwrapped(path.reduce<unknown>(stepInto, schema))
  return bare instanceof z.ZodObject ? Object.keys(bare.shape).filter((key) => key !== '$schema') : []
}

function stepInto(schema: unknown, step: string | number): unknown {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodObject) return bare.shape[step]
  if (bare instanceof z.ZodRecord) return bare.valueType
  return bare instanceof z.ZodArray ? bare.element : undefined
}

/** The mapping or list inside optional values, defaults, transforms and unions. */
function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrapped(schema.unwrap())
  }
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in)
  if (schema instanceof z.ZodUnion) return schema.options.map(unwrapped).find((option) => option instanceof z.ZodObject)
  return schema
}
