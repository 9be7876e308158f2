/** Tools for the tests of this room. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog-tool.ts'

/** What a test says of a tool; everything else follows from its public name. */
export interface SampleTool extends Partial<CatalogEntry> {
  readonly name: string
  readonly definition?: Partial<ToolDefinition>
}

/** A tool of the plugin `acme` unless the test says otherwise, whose declared name is the public one. */
export function sampleTool({ definition, ...entry }: SampleTool): CatalogTool {
  const pluginId = entry.pluginId ?? 'acme'
  const declaredName = entry.declaredName ?? entry.name
  return {
    entry: {
      description: '',
      pluginId,
      category: 'tool',
      providers: [],
      namespacedName: `plugin:${pluginId}:${declaredName}`,
      declaredName,
      ...entry,
    },
    definition: { package: pluginId, name: declaredName, action: declaredName, ...definition },
  }
}
