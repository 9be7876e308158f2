/** What each user sees on each surface: the snapshot behind the gate. */
import type { Surface } from '@callboard/sdk'
import { LRUCache } from 'lru-cache'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { offersOf } from '../catalog/catalog-tool.ts'
import { type AcceptTool, type CatalogView, createCatalogView } from '../catalog/catalog-view.ts'
import { isOffered } from '../catalog/is-offered.ts'
import type { CatalogSnapshot } from '../catalog/snapshot.ts'
import { type ActingUser, nameOf, narrowingKey, withinOf } from '../gate/acting-user.ts'
import type { Gate } from '../gate/gate.ts'
import { permissionOf, SURFACE_PERMISSIONS } from '../gate/permissions.ts'
import { EVERY_RIGHT, isRoleGate, type RoleGate } from '../gate/role-gate.ts'
import { BUILTIN_ID } from '../plugins/builtin/builtin-tool.ts'
import { gateAnswer } from './gate-answer.ts'
import type { ViewOptions } from './resolve-tool.ts'

/**
 * For so many kinds of user what they see is remembered, past a change too, at nine bytes a tool each. More kinds than
 * this are seldom; for those that were not seen for long, what they see is worked out anew.
 */
const REMEMBERED = 32

/** Makes the view of each request. */
export class Views {
  readonly #snapshot: () => CatalogSnapshot
  readonly #timeoutMs: () => number
  #gate: Gate
  /** By surface and rights. Kept for a role gate alone, which never changes its mind. */
  #kept = new WeakMap<CatalogSnapshot, LRUCache<string, CatalogView>>()
  /** The same question by the same function, so that the view of the next snapshot is derived from that of this one. */
  readonly #questions = new WeakMap<RoleGate, LRUCache<string, AcceptTool>>()
  /** What an application's gate said for a view, by permission. */
  readonly #answers = new WeakMap<CatalogView, Answers>()

  /** @param timeoutMs for so long an application's gate is waited for */
  constructor(snapshot: () => CatalogSnapshot, gate: Gate, timeoutMs: () => number) {
    this.#snapshot = snapshot
    this.#gate = gate
    this.#timeoutMs = timeoutMs
  }

  /** Who decides; another one decides on every view from then on. */
  get gate(): Gate {
    return this.#gate
  }

  set gate(gate: Gate) {
    this.#gate = gate
    this.#kept = new WeakMap()
  }

  /**
   * The view of this moment. The gate is asked once about each distinct permission, and not again about what it said
   * for `before`, the view with which the same request began. Throws `timeout` where it does not answer, and
   * `cancelled`. A role gate answers at once.
   */
  of(user: ActingUser, surface: Surface, { before, signal }: ViewOptions = {}): CatalogView | Promise<CatalogView> {
    const gate = this.#gate
    if (isRoleGate(gate)) return this.#keptView(this.#snapshot(), gate, user, surface)
    const time = { timeoutMs: this.#timeoutMs(), signal }
    return gateAnswer('allows', time, () => this.#askedView(gate, user, surface, before))
  }

  /** Whether the user has the permission. Throws `timeout` where an application's gate does not answer. */
  async allows(user: ActingUser, permission: string): Promise<boolean> {
    const gate = this.#gate
    if (!withinOf(user)(permission)) return false
    if (isRoleGate(gate)) return gate.allows(nameOf(user), permission)
    const time = { timeoutMs: this.#timeoutMs(), signal: undefined }
    const answer: unknown = await gateAnswer('allows', time, () => gate.allows(nameOf(user), permission))
    return answer === true
  }

  async #askedView(gate: Gate, user: ActingUser, surface: Surface, before?: CatalogView): Promise<CatalogView> {
    const snapshot = this.#snapshot()
    const answers: Answers = new Map(before && this.#answers.get(before))
    const needed = SURFACE_PERMISSIONS[surface]
    const isLetIn = needed === undefined || (await ask(gate, user, new Set([needed]), answers)).has(needed)
    const permissions = new Set(
      [...snapshot.tools]
        .flatMap(offersOf)
        .filter((tool) => isLetIn && isOffered(tool, surface) && !isForAll(tool))
        .map((tool) => permissionOf(tool.definition)),
    )
    const allowed = await ask(gate, user, permissions, answers)
    const accept = acceptTool(surface, (permission) => allowed.has(permission))
    const view = createCatalogView(snapshot, isLetIn ? accept : () => false)
    this.#answers.set(view, answers)
    return view
  }

  #keptView(snapshot: CatalogSnapshot, gate: RoleGate, user: ActingUser, surface: Surface): CatalogView {
    const views = this.#kept.get(snapshot) ?? new LRUCache<string, CatalogView>({ max: REMEMBERED })
    this.#kept.set(snapshot, views)
    const rights = gate.rightsOf(nameOf(user))
    const narrowing = narrowingKey(user)
    const key = `${surface} ${rights} ${narrowing}`
    const kept = views.get(key)
    if (kept !== undefined) return kept
    const seesAll = rights === EVERY_RIGHT && narrowing === '' && snapshot.offersAllOn(surface)
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

type Answers = Map<string, boolean>

/**
 * Which of these permissions the user has; asks about those of which `answers` knows nothing, and adds what it learns.
 */
async function ask(
  gate: Gate,
  user: ActingUser,
  permissions: ReadonlySet<string>,
  answers: Answers,
): Promise<ReadonlySet<string>> {
  const isWithin = withinOf(user)
  const unknown = [...permissions].filter((permission) => !answers.has(permission) && isWithin(permission))
  await Promise.all(
    unknown.map(async (permission) => {
      const answer: unknown = await gate.allows(nameOf(user), permission)
      // An application in JavaScript may answer anything, and a reason why not is true too.
      answers.set(permission, answer === true)
    }),
  )
  return new Set([...permissions].filter((permission) => answers.get(permission) === true))
}

function questionOf(gate: RoleGate, user: ActingUser, surface: Surface): AcceptTool {
  const isWithin = withinOf(user)
  const allows = (permission: string): boolean => isWithin(permission) && gate.allows(nameOf(user), permission)
  const needed = SURFACE_PERMISSIONS[surface]
  if (needed !== undefined && !allows(needed)) return () => false
  return acceptTool(surface, allows)
}

function acceptTool(surface: Surface, allows: (permission: string) => boolean): AcceptTool {
  return (tool) => isOffered(tool, surface) && (isForAll(tool) || allows(permissionOf(tool.definition)))
}

/** Every user may use the four. */
function isForAll(tool: CatalogTool): boolean {
  return tool.entry.pluginId === BUILTIN_ID
}
