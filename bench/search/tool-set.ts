/** Reads the sets of tools and queries that search is measured on; they are data from elsewhere and not in the repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogTool } from '../../packages/callboard/src/catalog/catalog-tool.ts'
import { namespacedName, sanitizeToolName } from '../../packages/callboard/src/tools/names.ts'

/** One tool of a set, with the texts that every engine is given. */
export interface SetTool {
  /** Unique in its set. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly params: readonly { readonly name: string; readonly description: string }[]
}

export interface SetQuery {
  readonly query: string
  /** The ids of the tools that answer it, all of them equally. */
  readonly gold: readonly string[]
}

export interface ToolSet {
  readonly name: string
  /** Whether its tools are those of real MCP servers, of which larger catalogues can be made. */
  readonly isOfServers: boolean
  readonly tools: readonly SetTool[]
  /** None where a set only gives tools. */
  readonly queries: readonly SetQuery[]
}

interface KnownSet {
  readonly name: string
  readonly isOfServers?: true
}

/** The sets by the names of their folders. Where two have the same tools, only one counts as a list of servers. */
const SETS: readonly KnownSet[] = [
  { name: 'livemcpbench', isOfServers: true },
  { name: 'livemcpbench-agentqueries' },
  { name: 'livemcpbench-steps' },
  { name: 'restbench' },
  { name: 'bfcl-live' },
  { name: 'bfcl-nonlive' },
  { name: 'metatool-single' },
  { name: 'metatool-multi' },
  { name: 'sealtools-dev' },
  { name: 'sealtools-test_in_domain' },
  { name: 'catalog-mcpm', isOfServers: true },
  { name: 'catalog-docker', isOfServers: true },
]

/** The sets that the folder has, and the names of those that it has not. A set is `tools.jsonl` and `queries.jsonl`, an object a line. */
export function readSets(folder: string): { readonly sets: readonly ToolSet[]; readonly missing: readonly string[] } {
  const sets: ToolSet[] = []
  const missing: string[] = []
  for (const { name, isOfServers = false } of SETS) {
    const file = (kind: string): string => join(folder, name, `${kind}.jsonl`)
    if (!existsSync(file('tools')) || !existsSync(file('queries'))) missing.push(name)
    else sets.push({ name, isOfServers, tools: readLines(file('tools')), queries: readLines(file('queries')) })
  }
  return { sets, missing }
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line): T => JSON.parse(line))
}

/**
 * The tools as a catalogue has them, sorted by public name. Where two servers use one name, the public names are told apart
 * by a number: what they are called is of no matter here.
 */
export function catalogOf(tools: readonly SetTool[]): { readonly id: string; readonly tool: CatalogTool }[] {
  const taken = new Map<string, number>()
  return tools
    .map((tool) => {
      const plain = sanitizeToolName(tool.name)
      const before = taken.get(plain) ?? 0
      taken.set(plain, before + 1)
      const name = before === 0 ? plain : `${plain}--${before + 1}`
      return { id: tool.id, tool: catalogTool(tool, name) }
    })
    .sort((a, b) => (a.tool.entry.name < b.tool.entry.name ? -1 : 1))
}

function catalogTool({ server, name: declaredName, title, description, params }: SetTool, name: string): CatalogTool {
  return {
    entry: {
      name,
      description,
      pluginId: server,
      category: 'external',
      providers: [],
      namespacedName: namespacedName(server, declaredName),
      declaredName,
      ...(title !== '' && { title }),
    },
    definition: {
      package: server,
      name: declaredName,
      action: declaredName,
      description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(params.map((param) => [param.name, { description: param.description }])),
      },
    },
  }
}
