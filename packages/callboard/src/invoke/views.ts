/** What each user sees on each surface: the snapshot behind the gate. */
import type { Surface } from '@callboard/sdk'
import { LRUCache } from 'lru-cache'
import { type AcceptTool, type CatalogView, createCatalogView } from '../catalog/catalog-view.ts'
import { isOffered } from '../catalog/is-offered.ts'
import type { CatalogSnapshot, CatalogTool } from '../catalog/snapshot.ts'
import type { Gate } from '../gate/gate.ts'
import { permissionOf, SURFACE_PERMISSIONS } from '../gate/permissions.ts'
import { EVERY_RIGHT, isRoleGate, type RoleGate } from '../gate/role-gate.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'

/**
 * For so many kinds of user what they see is remembered past a change, at nine bytes a tool each. More kinds than this are
 * seldom; for those that were not seen for long, what they see is worked out anew.
 */
const REMEMBERED = 32

/** Makes the view of each request. */
export class Views {
  readonly #snapshot: () => CatalogSnapshot
  #gate: Gate
  /** By surface and rights. Kept for a role gate alone, which never changes its mind. */
  #kept = new WeakMap<CatalogSnapshot, Map<string, CatalogView>>()
  /** The same question by the same function, so that the view of the next snapshot is derived from that of this one. */
  readonly #questions = new WeakMap<RoleGate, LRUCache<string, AcceptTool>>()

  constructor(snapshot: () => CatalogSnapshot, gate: Gate) {
    this.#snapshot = snapshot
    this.#gate = gate
  }

  /** Who decides; another one decides on every view from then on. */
  get gate(): Gate {
    return this.#gate
  }

  set gate(gate: Gate) {
    this.#gate = gate
    this.#kept = new WeakMap()
  }

  /** The view of this moment. The gate is asked once about each distinct permission. */
  async of(user: string, surface: Surface): Promise<CatalogView> {
    const snapshot = this.#snapshot()
    const gate = this.#gate
    if (isRoleGate(gate)) return this.#keptView(snapshot, gate, user, surface)
    const needed = SURFACE_PERMISSIONS[surface]
    if (needed !== undefined && !(await gate.allows(user, needed))) return createCatalogView(snapshot, () => false)
    const permissions = new Set(
      snapshot.tools
        .filter((tool) => isOffered(tool, surface) && !isForAll(tool))
        .map((tool) => permissionOf(tool.definition)),
    )
    const allowed = new Set<string>()
    await Promise.all(
      [...permissions].map(async (permission) => {
        if (await gate.allows(user, permission)) allowed.add(permission)
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
    const rights = gate.rightsOf(user)
    const key = `${surface} ${rights}`
    const kept = views.get(key)
    if (kept !== undefined) return kept
    const seesAll = rights === EVERY_RIGHT && snapshot.offersAllOn(surface)
    const view = seesAll
      ? createCatalogView(snapshot)
      : createCatalogView(
          snapshot,
          this.#question(gate, key, () => questionOf(gate, user, surface)),
        )
    views.set(key, view)
    return view
  }

  #question(gate: RoleGate, key: string, make: () => AcceptTool): AcceptTool {
    const questions = this.#questions.get(gate) ?? new LRUCache<string, AcceptTool>({ max: REMEMBERED })
    this.#questions.set(gate, questions)
    const question = questions.get(key) ?? make()
    questions.set(key, question)
    return question
  }
}

function questionOf(gate: RoleGate, user: string, surface: Surface): AcceptTool {
  const needed = SURFACE_PERMISSIONS[surface]
  if (needed !== undefined && !gate.allows(user, needed)) return () => false
  return acceptTool(surface, (permission) => gate.allows(user, permission))
}

function acceptTool(surface: Surface, allows: (permission: string) => boolean): AcceptTool {
  return (tool) => isOffered(tool, surface) && (isForAll(tool) || allows(permissionOf(tool.definition)))
}

/** Every user may use the four. */
function isForAll(tool: CatalogTool): boolean {
  return tool.entry.pluginId === BUILTIN_ID
}
