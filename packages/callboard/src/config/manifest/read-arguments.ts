/** Reads the `args` of a tool, the short form of its arguments. */
import type { ToolArgument } from '@callboard/sdk'
import { pathText, type SourceNode, type SourcePath } from '../source-node.ts'
import { isReservedName } from './check-tree.ts'
import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { type ArgumentFields, argumentFields } from './manifest-schema.ts'

/** The arguments that could be read; what is wrong with the others is found. */
export function readArguments(
  items: readonly { readonly node: SourceNode; readonly path: SourcePath }[],
  findings: Findings,
): readonly ToolArgument[] {
  const lines = new Map<string, number>()
  return items.flatMap(({ node, path }) => {
    if (node.kind !== 'map') {
      findings.add(
        'tools.malformed',
        node.start,
        `${pathText(path)}: expected an argument such as { name: message, type: string }`,
      )
      return []
    }
    const fields = new FieldReader<ArgumentFields>({
      node,
      path,
      schemas: argumentFields,
      rules: {
        malformed: 'tools.malformed',
        missing: 'tools.malformed',
        format: { name: 'tools.args.name', type: 'tools.args.type' },
      },
      findings,
    })
    fields.refuseUnknown('tools.unknown')
    return readArgument(fields, lines, findings)
  })
}

function readArgument(
  fields: FieldReader<ArgumentFields>,
  lines: Map<string, number>,
  findings: Findings,
): readonly ToolArgument[] {
  const name = fields.take('name')
  const type = fields.take('type')
  const required = fields.take('required')
  const description = fields.take('description')
  if (name === undefined) return []
  const first = lines.get(name)
  if (isReservedName(name))
    fields.refuse('names.reserved', 'name', `${name} cannot be the name of an argument; choose another`)
  else if (first !== undefined)
    fields.refuse(
      'tools.args.duplicate',
      'name',
      `there is an argument "${name}" already (line ${first}); rename one of them`,
    )
  else lines.set(name, findings.lineOf(fields.node.start))
  return [
    {
      name,
      type: type ?? 'string',
      ...(required !== undefined && { required }),
      ...(description !== undefined && { description }),
    },
  ]
}
