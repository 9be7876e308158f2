/** The text of a token: how it is made, known, and held against what is kept of it. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { TOKEN_PREFIX } from '../token-shape.ts'

const ID_BYTES = 4
const SECRET_BYTES = 32

/** The id in it tells a token that was found somewhere from all others. */
const TOKEN = new RegExp(`^${TOKEN_PREFIX}([0-9a-f]{8})_[0-9a-f]{64}$`)

/** A token that nobody has seen yet. */
interface NewToken {
  /** Stands in the text, and may be shown. */
  readonly id: string
  /** What lets in whoever has it. */
  readonly text: string
  /** What is kept of it. */
  readonly hash: string
}

export function newToken(): NewToken {
  const id = randomBytes(ID_BYTES).toString('hex')
  const text = `${TOKEN_PREFIX}${id}_${randomBytes(SECRET_BYTES).toString('hex')}`
  return { id, text, hash: hashOf(text) }
}

/** The id in a token; undefined for what is none. */
export function tokenIdIn(text: string): string | undefined {
  return TOKEN.exec(text)?.[1]
}

/** Whether the hash is that of the token; takes as long for a near miss as for any other. */
export function isTokenOf(text: string, kept: string): boolean {
  const given = Buffer.from(hashOf(text))
  const wanted = Buffer.from(kept)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * Plain SHA-256: 256 random bits are beyond guessing, however fast a guess is, so a slow hash such as a password needs
 * would protect nothing, and every request would have to wait for it.
 */
function hashOf(text: string): string {
  return hash('sha256', text, 'hex')
}
