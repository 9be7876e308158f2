/** What every token of a host looks like, by which it is known in any text without being remembered. */

/** What scanners for secrets look for. */
export const TOKEN_PREFIX = 'callboard_'

/** Of a token as it is. */
export const TOKEN_LENGTH = 83

/** The most characters that `TOKEN_IN_TEXT` takes for one token, which are those of one in base64. */
export const MOST_TOKEN_CHARACTERS = 111

/**
 * As it is, which is also how JSON and URLs write it, and small letters; as much as is there of one that was cut off.
 */
const PLAIN = `${TOKEN_PREFIX}[0-9a-f]{8}_[0-9a-f]{1,64}`
/**
 * What base64 makes of the prefix, wherever it stands in what was encoded, and of the rest. In the first characters of
 * that is the id, which may be shown. Neither has one of the characters that differ in URL-safe base64.
 */
const ENCODED = `(?:${[0, 1, 2].map(encodedPrefix).join('|')})[A-Za-z0-9]{12,98}`

/** The source of a pattern: a token, or what is left of one without its end. */
export const TOKEN_IN_TEXT: string = `${PLAIN}|${ENCODED}`

/** The end of a token at the beginning of a text; fewer digits tell nothing of it, and stand in ordinary texts. */
export const TOKEN_TAIL: RegExp = /^(?:[a-z]{0,9}_)?(?:[0-9a-f]{0,8}_)?[0-9a-f]{16,64}/

/** The characters that are the prefix's alone, when so many bytes stand before it. */
function encodedPrefix(before: number): string {
  const text = Buffer.from('\0'.repeat(before) + TOKEN_PREFIX).toString('base64')
  // Six bits a character.
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + TOKEN_PREFIX.length) * 8) / 6))
}
