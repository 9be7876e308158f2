/** The tools of a snapshot that are in one view. */
import type { CatalogSnapshot, CatalogTool } from './snapshot.ts'

export interface Selection {
  /** Sorted by public name. */
  readonly tools: readonly CatalogTool[]
  /** Sorted, each with at least one tool. */
  readonly pluginIds: readonly string[]
  /** The tools of one plugin, sorted by public name; none for a plugin that is not there. */
  ofPlugin(pluginId: string): readonly CatalogTool[]
  /** Whether the tool at this position of the snapshot's list is selected. */
  has(position: number): boolean
}

/** Everything, in the snapshot's own lists. */
export function selectAll(snapshot: CatalogSnapshot): Selection {
  return {
    tools: snapshot.tools,
    pluginIds: snapshot.pluginIds,
    ofPlugin: (pluginId) => snapshot.ofPlugin(pluginId),
    has: () => true,
  }
}

/** What `accept` accepts; it is asked once about each tool. */
export function selectAccepted(snapshot: CatalogSnapshot, accept: (tool: CatalogTool) => boolean): Selection {
  const tools: CatalogTool[] = []
  const byPlugin = new Map<string, CatalogTool[]>()
  const accepted = new Uint8Array(snapshot.tools.length)
  for (const [position, tool] of snapshot.tools.entries()) {
    if (!accept(tool)) continue
    accepted[position] = 1
    tools.push(tool)
    const ofPlugin = byPlugin.get(tool.entry.pluginId)
    if (ofPlugin) ofPlugin.push(tool)
    else byPlugin.set(tool.entry.pluginId, [tool])
  }
  return {
    tools,
    pluginIds: [...byPlugin.keys()].sort(),
    ofPlugin: (pluginId) => byPlugin.get(pluginId) ?? [],
    has: (position) => accepted[position] === 1,
  }
}
