/** The ids of a config's plugins: which are legal, and that no two of them get in each other's way. */
import { isPluginId } from '../tools/names.ts'
import { RESERVED_ROOTS, rootOf } from '../tools/permission-root.ts'
import { pathText, type SourcePath } from './source-node.ts'
import type { ValueChecker } from './value-checker.ts'

/** Characters of an id at most. */
export const MAX_ID_LENGTH = 128

/** An id and the entry that it comes from. */
export interface PluginPlace {
  readonly id: string
  readonly path: SourcePath
}

/** Adds a problem for each id that is not legal, is reserved, stands twice, or whose permissions mix with another's. */
export function checkPluginIds(places: readonly PluginPlace[], checker: Pick<ValueChecker, 'refuseKey'>): void {
  const byId = new Map<string, PluginPlace>()
  for (const place of places) {
    const twin = byId.get(place.id)
    const fault =
      idFault(place.id) ?? (twin && `the same id as ${pathText(twin.path)} (${place.id}); rename one of them`)
    if (fault !== undefined) checker.refuseKey(place.path, () => fault)
    else byId.set(place.id, place)
  }
  const byRoot = new Map([...byId.values()].toReversed().map((place) => [rootOf(place.id), place]))
  for (const place of byId.values()) {
    const root = rootOf(place.id)
    // A plugin without a vendor is no plugin of the vendor that is called as it is.
    const namesake = root === place.id ? undefined : byId.get(root)
    const outer = namesake ?? prefixesOf(root).flatMap((prefix) => byRoot.get(prefix) ?? [])[0]
    if (outer === undefined) continue
    checker.refuseKey(
      place.path,
      () =>
        `its permissions (${root}.…) would lie among those of ${pathText(outer.path)} (${rootOf(outer.id)}.…); rename one of them`,
    )
  }
}

function idFault(id: string): string | undefined {
  if (!isPluginId(id)) return `not a plugin id; expected letters, digits, ".", "_" and "-", with at most one "/"`
  if (id.length > MAX_ID_LENGTH) return `longer than the ${MAX_ID_LENGTH} characters of a plugin id`
  const reserved = reservedRootOf(id)
  return reserved === undefined ? undefined : `"${reserved}" is reserved for Callboard itself; choose another id`
}

/** The reserved root that a plugin of this id would have its permissions in, if there is one. */
export function reservedRootOf(id: string): string | undefined {
  return [rootOf(id), ...prefixesOf(rootOf(id))].find((root) => RESERVED_ROOTS.includes(root))
}

/** `a` and `a.b` for `a.b.c`. */
function prefixesOf(root: string): string[] {
  const parts = root.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}
