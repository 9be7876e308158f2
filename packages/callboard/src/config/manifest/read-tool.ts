/** Reads one tool of a manifest: its definition, and everything in it that does not hold together. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import { closestName } from '../../closest-name.ts'
import { defaultPrefix, sanitizeToolName } from '../../tools/names.ts'
import { rootOf } from '../../tools/permission-root.ts'
import type { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { dottedNameFault } from './manifest-names.ts'
import { surface, type ToolFields, tag } from './manifest-schema.ts'
import { readArguments } from './read-arguments.ts'
import type { SchemaCheck } from './schema-check.ts'

/** `names.maxLength` unless a config says otherwise. */
const USUAL_NAME_LENGTH = 48

/** Permissions that a wrong one is compared with. */
const MAX_GUESSES = 100

/** What is known of the manifest around a tool. */
export interface ManifestAround {
  /** Undefined when it is wrong, which is found elsewhere. */
  readonly package: string | undefined
  readonly permissions: ReadonlySet<string>
  readonly findings: Findings
  readonly schemas: SchemaCheck
  /** Lines of the tools before, by name. */
  readonly lines: Map<string, number>
}

type Fields = FieldReader<ToolFields>

/** The tool; undefined when it has no usable name or action. */
export function readTool(fields: Fields, around: ManifestAround): ToolDefinition | undefined {
  fields.refuseUnknown('tools.unknown')
  const name = fields.take('name')
  const action = fields.take('action')
  const permission = fields.take('permission')
  if (name !== undefined) checkName(fields, name, around)
  if (permission !== undefined) checkPermission(fields, permission, around)
  const definition = {
    ...described(fields),
    ...(permission !== undefined && { permission }),
    ...hinted(fields),
    ...shaped(fields, around),
    ...placed(fields),
  }
  if (name === undefined || action === undefined) return undefined
  return { package: around.package ?? '', name, action, ...definition }
}

function checkName(fields: Fields, name: string, { package: id, findings, lines }: ManifestAround): void {
  const first = lines.get(name)
  if (first !== undefined)
    fields.refuse(
      'tools.name.duplicate',
      'name',
      `there is a tool "${name}" already (line ${first}); rename one of them`,
    )
  else lines.set(name, findings.lineOf(fields.entry('name')?.value.start ?? 0))
  if (id === undefined) return
  const root = rootOf(id)
  const fault = dottedNameFault(name, root)
  if (fault === 'format')
    fields.refuse(
      'tools.name.format',
      'name',
      `expected parts of a-z 0-9 _ that begin with a letter, such as ${root}.echo`,
    )
  if (fault === 'namespace')
    fields.refuse(
      'tools.name.namespace',
      'name',
      `expected a name that begins with "${root}.", the vendor of the package`,
    )
  const publicName = sanitizeToolName(defaultPrefix('local', id) + name)
  if (fault === undefined && publicName.length > USUAL_NAME_LENGTH)
    fields.refuse(
      'tools.name.long',
      'name',
      `${publicName} has more than ${USUAL_NAME_LENGTH} characters, so MCP clients see it cut, with a hash at its end; shorten the name, or set \`prefix\` in the config`,
    )
}

function checkPermission(fields: Fields, permission: string, { package: id, permissions }: ManifestAround): void {
  if (id === undefined) return
  const root = rootOf(id)
  const fault = dottedNameFault(permission, root)
  if (fault !== undefined) fields.refuse(`permissions.${fault}`, 'permission', permissionWords(fault, root))
  else if (!permissions.has(permission)) {
    const meant = closestName(permission, [...permissions].slice(0, MAX_GUESSES))
    fields.refuse(
      'permissions.undeclared',
      'permission',
      `it is not among the \`permissions\` of the manifest; ${meant === undefined ? 'add it there' : `did you mean ${meant}?`}`,
    )
  }
}

/** What a permission should be, in a plugin with this root. */
export function permissionWords(fault: 'format' | 'namespace', root: string): string {
  return fault === 'format'
    ? `expected parts of a-z 0-9 _ that begin with a letter, such as ${root}.view`
    : `a plugin has permissions of its own only; expected one that begins with "${root}."`
}

function described(fields: Fields): Pick<ToolDefinition, 'title' | 'description' | 'tags'> {
  const title = fields.take('title')
  const description = fields.take('description')
  const tags = fields.takeItems('tags', tag).map(({ value }) => value)
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
  }
}

function hinted(fields: Fields): Partial<ToolDefinition> {
  const readOnly = fields.take('read_only')
  const destructive = fields.take('destructive')
  const idempotent = fields.take('idempotent')
  const openWorld = fields.take('open_world')
  const streaming = fields.take('streaming')
  if (readOnly === true && destructive === true)
    fields.refuse(
      'tools.contradiction',
      'destructive',
      'what changes nothing (read_only) destroys nothing; set one of them to false',
    )
  return {
    readOnly: readOnly ?? false,
    destructive: destructive ?? false,
    ...(idempotent !== undefined && { idempotent }),
    ...(openWorld !== undefined && { openWorld }),
    ...(streaming !== undefined && { streaming }),
  }
}

/**
 * A manifest is complete: a tool without arguments takes none, so that one that is given is told instead of being lost.
 */
function shaped(
  fields: Fields,
  { findings, schemas }: ManifestAround,
): Pick<ToolDefinition, 'args' | 'inputSchema' | 'outputSchema'> {
  const args = readArguments(fields.items('args'), findings)
  const input = fields.entry('input_schema')
  const output = fields.entry('output_schema')
  if (input !== undefined && fields.entry('args') !== undefined)
    fields.refuse('tools.args.twice', 'input_schema', 'the arguments stand in `args` already; keep one of the two')
  const inputSchema =
    fields.take('input_schema') && input && schemas.input(input.value, [...fields.path, 'input_schema'])
  const outputSchema =
    fields.take('output_schema') && output && schemas.output(output.value, [...fields.path, 'output_schema'])
  return {
    ...(inputSchema === undefined ? { args } : { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
  }
}

function placed(fields: Fields): Pick<ToolDefinition, 'surfaces'> {
  const list = fields.entry('surfaces')?.value
  if (list?.kind === 'list' && list.items.length === 0)
    fields.refuse(
      'tools.surfaces.empty',
      'surfaces',
      'offered nowhere; remove the key to offer it on both, or the tool',
    )
  const surfaces = new Set<Surface>()
  for (const { value } of fields.takeItems('surfaces', surface)) {
    if (surfaces.has(value))
      fields.refuse('tools.surfaces.duplicate', 'surfaces', `${value} stands here twice; once is enough`)
    surfaces.add(value)
  }
  return list === undefined ? {} : { surfaces: [...surfaces] }
}
