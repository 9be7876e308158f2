/** The arguments of a call as they are recorded: without secrets, and not longer than a record should be. */
import type { ToolDefinition } from '@callboard/sdk'
import { isSecretName } from '../../config/secret-values.ts'
import { isWritten, parseWritten } from '../../exact-json.ts'
import type { Secrets } from '../../secrets.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { secretNames } from './secret-names.ts'

const HIDDEN = '[secret]'
const LEFT_OUT = '…'
/** What is recorded of one call, in characters, but for the last text of it. */
const MOST_CHARACTERS = 4_000
const LONGEST_TEXT = 1_000
/**
 * A text that is longer is not looked into, and where it looks like JSON not recorded; to parse this much takes a
 * millisecond.
 */
const LONGEST_JSON = 100_000
const LONGEST_NAME = 100
const DEEPEST = 20
/** What stands around a value in JSON. */
const AROUND = 4

/** Names that mean a secret among arguments; a variable of such a name may be a place or a switch. */
const SHORT_SECRET_NAME = /pwd|(?:^|[_-])(?:pw|pin|otp|cvv|cvc)$/i

const known = new WeakMap<ToolDefinition, ReadonlySet<string> | 'all'>()

/**
 * JSON of about 5,000 characters at most, in which `[secret]` stands for the value of an argument that the schema marks
 * (`format: password`, `writeOnly`), or whose name says that it is secret, and for every secret that the host knows; in
 * a text that is JSON itself, too. What is too much is left out, with `…` in its place.
 */
export function recordedArguments(
  args: Readonly<Record<string, unknown>>,
  definition: ToolDefinition,
  secrets: Secrets,
): string {
  const marked = known.get(definition) ?? secretNames(inputSchemaOf(definition))
  known.set(definition, marked)
  return JSON.stringify(new Copy(marked, secrets).of(args, 0))
}

class Copy {
  readonly #marked: ReadonlySet<string> | 'all'
  readonly #secrets: Secrets
  #left = MOST_CHARACTERS

  constructor(marked: ReadonlySet<string> | 'all', secrets: Secrets) {
    this.#marked = marked
    this.#secrets = secrets
  }

  of(value: unknown, depth: number): unknown {
    this.#left -= AROUND
    if (typeof value === 'string') return this.#text(this.#ofJson(value, depth), LONGEST_TEXT)
    if (typeof value !== 'object' || value === null) return this.#plain(value, String(value))
    if (isWritten(value)) return this.#plain(value, value.rawJSON)
    if (depth > DEEPEST) return LEFT_OUT
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth)
  }

  /** The copy of what the text is the JSON of; any other text as it is. */
  #ofJson(text: string, depth: number): string {
    if (!/^\s*[[{"]/.test(text)) return text
    if (text.length > LONGEST_JSON || depth > DEEPEST) return LEFT_OUT
    let parsed: unknown
    try {
      parsed = parseWritten(text)
    } catch (error) {
      // It only looked like JSON, or is nested too deeply to be looked into.
      return error instanceof SyntaxError ? text : LEFT_OUT
    }
    // With a measure of its own: what is recorded of it in the end is the beginning of this.
    return JSON.stringify(new Copy(this.#marked, this.#secrets).of(parsed, depth + 1))
  }

  #text(text: string, longest: number): string {
    const shown = this.#secrets.excerpt(text, longest)
    this.#left -= shown.length
    return text.length > longest ? `${shown}${LEFT_OUT}` : shown
  }

  /** A number may be a secret too, and what JSON can't hold must not break it. */
  #plain(value: unknown, text: string): unknown {
    this.#left -= text.length
    if (this.#secrets.redact(text) !== text) return HIDDEN
    const isJson = isNumber(value) || typeof value === 'boolean' || value === null
    return isJson && text.length <= LONGEST_TEXT ? value : LEFT_OUT
  }

  #list(list: readonly unknown[], depth: number): readonly unknown[] {
    const items: unknown[] = []
    for (const item of list) {
      if (this.#left <= 0) return [...items, LEFT_OUT]
      items.push(this.of(item, depth + 1))
    }
    return items
  }

  #object(value: object, depth: number): Readonly<Record<string, unknown>> {
    const members: [string, unknown][] = []
    for (const [name, member] of Object.entries(value)) {
      if (this.#left <= 0) {
        members.push([LEFT_OUT, LEFT_OUT])
        break
      }
      const shown = this.#isSecret(name, member) ? HIDDEN : this.of(member, depth + 1)
      members.push([this.#text(name, LONGEST_NAME), shown])
    }
    // `fromEntries` makes an own property of any name, `__proto__` too; an assignment would not.
    return Object.fromEntries(members)
  }

  #isSecret(name: string, value: unknown): boolean {
    if (this.#marked === 'all' || this.#marked.has(name) || isSecretName(name) || SHORT_SECRET_NAME.test(name))
      return true
    // `max_tokens` is a number of them, and the only kind of tokens that is no secret.
    return /tokens/i.test(name) && !isNumber(value)
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isWritten(value)
}
