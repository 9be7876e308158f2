/** What each user sees on each surface: the snapshot behind the gate. */
import type { Surface } from '@callboard/sdk'
import { type AcceptTool, type CatalogView, createCatalogView } from '../catalog/catalog-view.ts'
import type { CatalogSnapshot, CatalogTool } from '../catalog/snapshot.ts'
import type { Gate } from '../gate/gate.ts'
import { permissionOf, SURFACE_PERMISSIONS } from '../gate/permissions.ts'
import { isRoleGate, type RoleGate } from '../gate/role-gate.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'

const EVERY_SURFACE: readonly Surface[] = ['mcp', 'cli']

/** Makes the view of each request. */
export class Views {
  readonly gate: Gate
  readonly #snapshot: () => CatalogSnapshot
  /** By user and surface. Kept for a role gate alone, which never changes its mind. */
  readonly #kept = new WeakMap<CatalogSnapshot, Map<string, CatalogView>>()

  constructor(snapshot: () => CatalogSnapshot, gate: Gate) {
    this.#snapshot = snapshot
    this.gate = gate
  }

  /** The view of this moment. The gate is asked once about each distinct permission. */
  async of(user: string, surface: Surface): Promise<CatalogView> {
    const snapshot = this.#snapshot()
    if (isRoleGate(this.gate)) return this.#keptView(snapshot, this.gate, user, surface)
    const needed = SURFACE_PERMISSIONS[surface]
    if (needed !== undefined && !(await this.gate.allows(user, needed))) return createCatalogView(snapshot, () => false)
    const permissions = new Set(
      snapshot.tools
        .filter((tool) => isOffered(tool, surface) && !isForAll(tool))
        .map((tool) => permissionOf(tool.definition)),
    )
    const allowed = new Set<string>()
    await Promise.all(
      [...permissions].map(async (permission) => {
        if (await this.gate.allows(user, permission)) allowed.add(permission)
      }),
    )
    return createCatalogView(
      snapshot,
      acceptTool(surface, (permission) => allowed.has(permission)),
    )
  }

  #keptView(snapshot: CatalogSnapshot, gate: RoleGate, user: string, surface: Surface): CatalogView {
    const views = this.#kept.get(snapshot) ?? new Map<string, CatalogView>()
    this.#kept.set(snapshot, views)
    const key = JSON.stringify([user, surface])
    const kept = views.get(key)
    if (kept !== undefined) return kept
    const needed = SURFACE_PERMISSIONS[surface]
    const accept =
      needed === undefined || gate.allows(user, needed)
        ? acceptTool(surface, (permission) => gate.allows(user, permission))
        : () => false
    const view = createCatalogView(snapshot, accept)
    views.set(key, view)
    return view
  }
}

function acceptTool(surface: Surface, allows: (permission: string) => boolean): AcceptTool {
  return (tool) => isOffered(tool, surface) && (isForAll(tool) || allows(permissionOf(tool.definition)))
}

function isOffered({ definition }: CatalogTool, surface: Surface): boolean {
  return (definition.surfaces ?? EVERY_SURFACE).includes(surface)
}

/** Every user may use the four. */
function isForAll(tool: CatalogTool): boolean {
  return tool.entry.pluginId === BUILTIN_ID
}
