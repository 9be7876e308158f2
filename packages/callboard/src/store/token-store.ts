/** The port of the tokens with which users are let in over HTTP. */

/** A token as it is kept: what can be shown of it, and a hash of what can't. */
export interface StoredToken {
  /** Stands in the token itself, so that one that was found somewhere can be told. */
  readonly id: string
  /** What its owner calls it. */
  readonly name: string
  /** On whose behalf it lets in. */
  readonly user: string
  /** SHA-256 of the whole token, in hex. */
  readonly hash: string
  /** In milliseconds since the epoch; so is the next. */
  readonly createdAt: number
  /** From when on it lets nobody in; absent: it never ends. */
  readonly expiresAt?: number
  /** Narrows the permissions of the user to those that match one of these patterns; absent: to all of them. */
  readonly permissions?: readonly string[]
}

/** Tokens by id, with one name each. What another process changes is seen at once. */
export interface TokenStore {
  /** Sorted by name. */
  all(): readonly StoredToken[]
  find(id: string): StoredToken | undefined
  /** Keeps a new token; false, and nothing changes, where there is one of that name or id. */
  add(token: StoredToken): boolean
  /** Says whether it was there. */
  remove(id: string): boolean
  /** Removes all tokens of a user. */
  removeOf(user: string): void
}
