/**
 * Reads the manifest of a declared plugin, plugin.yaml or signals.yaml, and finds everything in it that does not fit.
 */
import type { ToolDefinition } from '@callboard/sdk'
import { rootOf } from '../../tools/permission-root.ts'
import { parseYaml, type YamlFault } from '../parse-yaml.ts'
import { reservedRootOf } from '../plugin-ids.ts'
import { entryOf, pathText, type SourceNode } from '../source-node.ts'
import { checkTree } from './check-tree.ts'
import { type ActionPlace, type CodePlace, checkCode } from './code-check.ts'
import { FieldReader } from './field-reader.ts'
import type { Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import { dottedNameFault } from './manifest-names.ts'
import { dottedName, FOREIGN_SECTIONS, type ManifestFields, manifestFields, toolFields } from './manifest-schema.ts'
import { openManifest } from './open-manifest.ts'
import { permissionWords, readTool } from './read-tool.ts'
import { SchemaCheck } from './schema-check.ts'

/** What a plugin declares. */
export interface PluginManifest {
  /** Absolute. */
  readonly file: string
  /** Absolute; what `module` and the actions are relative to. */
  readonly folder: string
  /** The id of the plugin, `vendor/name`. */
  readonly package: string
  /** What people call it. */
  readonly name: string
  /** By SemVer. */
  readonly version: string
  /** The module that wires actions, as written. */
  readonly module: string | undefined
  readonly permissions: readonly string[]
  /** In the order of the file; each `action` is as written. */
  readonly tools: readonly ToolDefinition[]
}

export interface ManifestReading {
  /** Undefined when one of the findings is an error. */
  readonly manifest: PluginManifest | undefined
  /** In the order of the file. */
  readonly findings: readonly Finding[]
}

/**
 * Reads the manifest in a folder, or the one that the path names itself. Runs no code of the plugin. Whatever is wrong,
 * be it that there is no such folder, is a finding; it rejects for nothing that a manifest may hold.
 */
export async function readManifest(folder: string): Promise<ManifestReading> {
  const opened = await openManifest(folder)
  const { file, text, findings } = opened
  const root = text === undefined ? undefined : parse(text, findings)
  if (root === undefined || text === undefined) return { manifest: undefined, findings: findings.sorted() }
  checkTree(root, [], { text, findings, skipped: FOREIGN_SECTIONS })
  const { actions, ...declared } = readRoot(root, findings)
  const module = placeOf(root, 'module', declared.module)
  await checkCode({ folder: opened.folder, module, actions }, findings)
  const manifest = findings.failed ? undefined : { file, folder: opened.folder, ...declared }
  return { manifest, findings: findings.sorted() }
}

type MapNode = SourceNode & { readonly kind: 'map' }

function parse(text: string, findings: Findings): MapNode | undefined {
  const root = parseYaml(text, {
    add: (offset: number, message: () => string, fault: YamlFault) => findings.add(`yaml.${fault}`, offset, message()),
  })
  if (root === undefined || root.kind === 'map') return root
  findings.add('manifest.malformed', root.start, 'expected a mapping of keys such as `package:` at the top')
  return undefined
}

interface Declared extends Omit<PluginManifest, 'file' | 'folder'> {
  readonly actions: readonly ActionPlace[]
}

function readRoot(root: MapNode, findings: Findings): Declared {
  const fields = new FieldReader<ManifestFields>({
    node: root,
    path: [],
    schemas: manifestFields,
    rules: {
      malformed: 'manifest.malformed',
      missing: 'identity.required',
      format: {
        package: 'identity.package.format',
        name: 'identity.name.format',
        version: 'identity.version.semver',
        permissions: 'permissions.format',
      },
    },
    findings,
  })
  fields.refuseUnknown('manifest.unknown', (key) => key === '$schema' || FOREIGN_SECTIONS.has(key))
  tellForeign(root, findings)
  const id = fields.take('package')
  checkReserved(fields, id)
  const permissions = readPermissions(fields, id, findings)
  return {
    package: id ?? '',
    name: fields.take('name') ?? '',
    version: fields.take('version') ?? '',
    module: fields.take('module'),
    permissions: [...permissions],
    ...readTools(fields, { package: id, permissions }, findings),
  }
}

function tellForeign(root: MapNode, findings: Findings): void {
  for (const { key, keyStart } of root.entries)
    if (FOREIGN_SECTIONS.has(key))
      findings.add('manifest.ignored', keyStart, `${key}: this section is for SIGNALS, and is not read here`)
}

function checkReserved(fields: FieldReader<ManifestFields>, id: string | undefined): void {
  const reserved = id === undefined ? undefined : reservedRootOf(id)
  if (reserved !== undefined)
    fields.refuse(
      'identity.package.reserved',
      'package',
      `"${reserved}" is reserved for Callboard itself; choose another vendor`,
    )
}

function readPermissions(
  fields: FieldReader<ManifestFields>,
  id: string | undefined,
  findings: Findings,
): ReadonlySet<string> {
  const permissions = new Set<string>()
  for (const { value, node, path } of fields.takeItems('permissions', dottedName)) {
    const fault = id === undefined ? undefined : dottedNameFault(value, rootOf(id))
    if (fault !== undefined)
      findings.add(`permissions.${fault}`, node.start, `${pathText(path)}: ${permissionWords(fault, rootOf(id ?? ''))}`)
    if (permissions.has(value))
      findings.add('permissions.duplicate', node.start, `${pathText(path)}: ${value} stands here twice; once is enough`)
    permissions.add(value)
  }
  return permissions
}

function readTools(
  fields: FieldReader<ManifestFields>,
  around: { readonly package: string | undefined; readonly permissions: ReadonlySet<string> },
  findings: Findings,
): Pick<Declared, 'tools' | 'actions'> {
  const shared = { ...around, findings, schemas: new SchemaCheck(findings), lines: new Map<string, number>() }
  const tools: ToolDefinition[] = []
  const actions: ActionPlace[] = []
  for (const { node, path } of fields.items('tools')) {
    if (node.kind !== 'map') {
      findings.add('tools.malformed', node.start, `${pathText(path)}: expected a tool, a mapping with name and action`)
      continue
    }
    const rules = {
      malformed: 'tools.malformed',
      missing: 'tools.malformed',
      format: {
        name: 'tools.name.format',
        permission: 'permissions.format',
        surfaces: 'tools.surfaces.unknown',
      },
    } as const
    const tool = readTool(new FieldReader({ node, path, schemas: toolFields, rules, findings }), shared)
    if (tool !== undefined) tools.push(tool)
    const action = placeOf(node, 'action', childText(node, 'action'), pathText([...path, 'action']))
    if (action !== undefined) actions.push({ ...action, tool: tool?.name })
  }
  return { tools, actions }
}

function childText(node: MapNode, key: string): string | undefined {
  const value = entryOf(node, key)?.value
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined
}

function placeOf(node: MapNode, key: string, written: string | undefined, place: string = key): CodePlace | undefined {
  const offset = entryOf(node, key)?.value.start
  return written === undefined || written === '' || offset === undefined ? undefined : { written, offset, place }
}
