/**
 * The tokens of a host: made, shown without what is secret of them, revoked, and held against what a request brings.
 */
import { name as nameSchema } from '../config/schema-parts.ts'
import { CallboardError } from '../errors.ts'
import { type ActingUser, actingUser } from '../gate/acting-user.ts'
import { isTokenOf, newToken, tokenIdIn } from '../gate/token-text.ts'
import { nearestOrAll } from '../nearest-or-all.ts'
import type { StoredToken, TokenStore } from '../store/token-store.ts'
import { checkPatterns, type HostPeople } from './people.ts'

/** A token without what lets anybody in. */
export type Token = Omit<StoredToken, 'hash'>

/** What a new token is to be. */
export interface TokenRequest {
  readonly name: string
  /** On whose behalf it lets in. */
  readonly user: string
  /** In milliseconds since the epoch; absent: it never ends. */
  readonly expiresAt?: number
  /** Narrows the permissions of the user to those that match one of these patterns. */
  readonly permissions?: readonly string[]
}

/** Whom a token lets in, or why it lets nobody in, in printable ASCII. */
export type TokenVerdict =
  | { readonly kind: 'good'; readonly id: string; readonly user: ActingUser }
  | { readonly kind: 'bad'; readonly reason: string }

/** The tokens with which `http.auth: tokens` lets users in. A change is in effect when its method returns. */
export interface Tokens {
  /** Sorted by name. */
  all(): readonly Token[]
  /**
   * Makes a token. Its text is told here and never again. Throws `usage` for a name that is taken, and an unknown user.
   */
  create(request: TokenRequest): Token & { readonly text: string }
  /** Takes away the token with this name or id. Throws `usage` where there is none. */
  revoke(nameOrId: string): Token
  /** Looks a token up, and its user, as they are at this moment, whichever process changed them last. */
  check(text: string): TokenVerdict
  /** Whether the token of this id would still let anybody in. */
  isGood(id: string): boolean
}

export interface HostTokensOptions {
  readonly store: TokenStore
  readonly people: HostPeople
  /** Told after anything changed. */
  readonly onChange: () => void
}

const UNKNOWN = 'the token is unknown or was revoked'

export class HostTokens implements Tokens {
  readonly #options: HostTokensOptions

  constructor(options: HostTokensOptions) {
    this.#options = options
  }

  all(): readonly Token[] {
    return this.#options.store.all().map(shown)
  }

  create({ name, user, expiresAt, permissions }: TokenRequest): Token & { readonly text: string } {
    const { store, onChange } = this.#options
    this.#check({ name, user, ...(expiresAt !== undefined && { expiresAt }), ...(permissions && { permissions }) })
    const { id, text, hash } = newToken()
    const token: Token = {
      id,
      name,
      user,
      createdAt: Date.now(),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(permissions && { permissions: [...new Set(permissions)] }),
    }
    if (!store.add({ ...token, hash }))
      throw usage(`there is a token "${name}" already; revoke it, or take another name`)
    onChange()
    return { ...token, text }
  }

  revoke(nameOrId: string): Token {
    const { store, onChange } = this.#options
    const all = store.all()
    const token = all.find(({ name }) => name === nameOrId) ?? all.find(({ id }) => id === nameOrId)
    if (token === undefined) {
      const names = all.map(({ name }) => name)
      const guess = nearestOrAll(nameOrId, names)
      // Whoever pastes a whole token here by mistake must not find it in a log.
      throw usage(`no token ${tokenIdIn(nameOrId) === undefined ? JSON.stringify(nameOrId) : 'of this text'}; ${guess}`)
    }
    store.remove(token.id)
    onChange()
    return shown(token)
  }

  /** Takes away all tokens of a user who is no longer there. */
  removeOf(user: string): void {
    this.#options.store.removeOf(user)
    this.#options.onChange()
  }

  check(text: string): TokenVerdict {
    const id = tokenIdIn(text)
    const token = id === undefined ? undefined : this.#options.store.find(id)
    if (token === undefined || !isTokenOf(text, token.hash)) return { kind: 'bad', reason: UNKNOWN }
    const reason = this.#faultOf(token)
    if (reason !== undefined) return { kind: 'bad', reason }
    return { kind: 'good', id: token.id, user: actingUser(token.user, token.permissions) }
  }

  isGood(id: string): boolean {
    const token = this.#options.store.find(id)
    return token !== undefined && this.#faultOf(token) === undefined
  }

  /** Why a token that is known lets nobody in now. */
  #faultOf({ user, expiresAt }: StoredToken): string | undefined {
    const { people } = this.#options
    if (expiresAt !== undefined && expiresAt <= Date.now()) return 'the token has expired'
    people.refresh()
    return people.find(user)?.disabled === false ? undefined : 'the user of the token is unknown or disabled'
  }

  #check({ name, user, expiresAt, permissions = [] }: TokenRequest): void {
    const fault = nameSchema.safeParse(name).error?.issues[0]?.message
    if (fault !== undefined) throw usage(`${JSON.stringify(name.slice(0, 128))} can't be the name of a token: ${fault}`)
    this.#options.people.require(user)
    checkPatterns(permissions)
    if (expiresAt !== undefined && !(expiresAt > Date.now())) throw usage('a token has to expire in the future')
  }
}

function shown({ hash: _, ...token }: StoredToken): Token {
  return token
}

function usage(message: string): CallboardError {
  return new CallboardError('usage', message)
}
