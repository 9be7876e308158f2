/** The one place that derives names: plugin ids, namespaced names, and the public name of a tool without a clash. */
import { hash } from 'node:crypto'

/** The smallest `names.maxLength`: a letter, a `-` and a hash long enough that no two tools have the same one. */
export const MIN_NAME_LENGTH = 32
/** The largest `names.maxLength`: no client and no revision of MCP takes longer names. */
export const MAX_NAME_LENGTH = 128

/** Hex digits of a hashed name: as a rule, and where two tools have even those in common. */
export const HASH_DIGITS = { short: 8, long: 30 } as const

const PLUGIN_ID = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)?$/

/** Whether the text can be a plugin's id: `vendor/name` or a dotted id, of letters, digits, `.`, `_` and `-`. */
export function isPluginId(text: string): boolean {
  return PLUGIN_ID.test(text)
}

/**
 * The plugin id for a server's key in an mcp.json: the key where it is an id, else each character that no part of an
 * id may have (a slash too) as `-`. Two keys may give the same id, and the empty key gives none.
 */
export function pluginIdFromKey(key: string): string {
  return isPluginId(key) ? key : key.replace(/[^A-Za-z0-9._-]/gu, '-')
}

/** The name of a tool that never changes. No id has a colon, so only the first two colons split it. */
export function namespacedName(packageId: string, declaredName: string): string {
  return `plugin:${packageId}:${declaredName}`
}

/** The plugin's id in a namespaced name, for words about it; to find a tool takes a table. */
export function pluginIdIn(namespaced: string): string {
  return namespaced.split(':', 2)[1] ?? ''
}

/** What stands before the declared names of a plugin in its public names, unless the config says otherwise. */
export function defaultPrefix(kind: 'local' | 'ai' | 'external' | 'mcp', pluginId: string): string {
  if (pluginId.includes('/')) return `plugin:${pluginId}:`
  return kind === 'mcp' ? `${pluginId}_` : ''
}

/** The text with every run of characters but `A-Z a-z 0-9 _ -` as one `-`, without `-` at the ends; never empty. */
export function sanitizeToolName(text: string): string {
  return trimDashes(text.replace(/[^A-Za-z0-9_-]+/g, '-')) || 'tool'
}

/**
 * Whether a tool can have its plain name, which is `sanitizeToolName(prefix + declaredName)`: it is short enough, and
 * something in it is left of the declared name.
 */
export function isPlainNameUsable(plainName: string, declaredName: string, maxLength: number): boolean {
  return plainName.length <= maxLength && /[A-Za-z0-9_]/.test(declaredName)
}

/** What stands before the `-` and the hash in a hashed name. */
export function hashedNameStem(plainName: string, digits: number, maxLength: number): string {
  return trimDashes(plainName.slice(0, maxLength - 1 - digits))
}

/** The name of a tool that can't have its plain one: that name cut, and digits of the namespaced name's SHA-256. */
export function hashedName(plainName: string, namespaced: string, digits: number, maxLength: number): string {
  return `${hashedNameStem(plainName, digits, maxLength)}-${sha256(namespaced).slice(0, digits)}`
}

/** UTF-8 has no form for half a surrogate pair, and names that differ only there must not have one hash. */
function sha256(text: string): string {
  return hash('sha256', text.isWellFormed() ? text : Buffer.from(text, 'utf16le'), 'hex')
}

/** By index, because a regular expression for the end takes quadratic time on a name of many dashes. */
function trimDashes(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '-') start++
  while (end > start && text[end - 1] === '-') end--
  return text.slice(start, end)
}
