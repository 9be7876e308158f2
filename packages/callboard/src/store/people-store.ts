/** The port of the users and roles that are kept beside those of the config. */

/** A user as it is kept. */
export interface StoredUser {
  readonly name: string
  /** The names of roles, in the order given. */
  readonly roles: readonly string[]
  readonly disabled: boolean
}

/** A role as it is kept. */
export interface StoredRole {
  readonly name: string
  /** Patterns of permissions, in the order given. */
  readonly permissions: readonly string[]
}

/** Users and roles by name. What names may be, and which roles there are, is for others to say. */
export interface PeopleStore {
  /** Another number after any change, whichever process made it; asking costs next to nothing. */
  revision(): number
  /** Sorted by name. */
  users(): readonly StoredUser[]
  /** Keeps a new user; false, and nothing changes, where there is one of that name. */
  addUser(user: StoredUser): boolean
  /** False where there is no such user; so of the two below. */
  setRoles(user: string, roles: readonly string[]): boolean
  setDisabled(user: string, disabled: boolean): boolean
  removeUser(name: string): boolean
  /** Sorted by name. */
  roles(): readonly StoredRole[]
  /** Keeps a new role; false, and nothing changes, where there is one of that name. */
  addRole(role: StoredRole): boolean
  /** False where there is no such role; so of the one below. */
  setPermissions(role: string, permissions: readonly string[]): boolean
  removeRole(name: string): boolean
}
