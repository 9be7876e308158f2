/** Reads messages of clients, and knows of each call the arguments as they were written. */
import { readJson } from '../../exact-json.ts'
import { isObject } from '../../is-object.ts'

type Arguments = Readonly<Record<string, unknown>>

/** By the arguments with doubles, which everybody on the way to the call has, and nobody copies. */
const writtenBy = new WeakMap<object, Arguments>()

/** What a message says, or several in a list. Throws SyntaxError for what is no JSON. */
export function readMessage(text: string): unknown {
  const { value, written } = readJson(text)
  if (written !== value) remember(value, written)
  return value
}

/** The arguments with the numbers as `readJson` has them; undefined where a double says every one of them as well. */
export function writtenArguments(args: object): Arguments | undefined {
  return writtenBy.get(args)
}

function remember(value: unknown, written: unknown): void {
  if (Array.isArray(value) && Array.isArray(written))
    for (const [at, one] of value.entries()) remember(one, written[at])
  const args = argumentsOf(value)
  const asWritten = argumentsOf(written)
  if (args !== undefined && asWritten !== undefined) writtenBy.set(args, asWritten)
}

function argumentsOf(message: unknown): Arguments | undefined {
  if (!isObject(message) || !isObject(message.params)) return undefined
  const { arguments: args } = message.params
  return isObject(args) ? args : undefined
}
