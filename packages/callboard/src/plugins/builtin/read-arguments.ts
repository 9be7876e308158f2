/**
 * Reads the arguments of the four tools: types are checked, numbers brought into their range with a note that says so.
 */
import { isBlank } from '../../catalog/is-blank.ts'
import { CallboardError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A page size that a caller may choose. */
interface LimitRange {
  readonly default: number
  readonly max: number
}

function wrongType(name: string, expected: string, value: unknown): CallboardError {
  const given = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
  return new CallboardError('invalid_arguments', `argument "${name}" must be ${expected}, not ${given}`)
}

/** A text, '' when absent. Throws `invalid_arguments` for anything else. */
export function readText(args: Arguments, name: string): string {
  const value = args[name]
  if (value === undefined) return ''
  if (typeof value !== 'string') throw wrongType(name, 'a string', value)
  return value
}

/** A text that must be there and not be blank, without the space around it. Throws `invalid_arguments` otherwise. */
export function readRequiredText(args: Arguments, name: string, meaning: string): string {
  const text = readText(args, name)
  if (isBlank(text)) throw new CallboardError('invalid_arguments', `argument "${name}" is empty; it takes ${meaning}`)
  return text.trim()
}

/** An object, {} when absent. Throws `invalid_arguments` for anything else. */
export function readObject(args: Arguments, name: string): Arguments {
  const value = args[name]
  if (value === undefined) return {}
  if (!isObject(value)) {
    throw wrongType(name, 'an object such as {"path": "a.txt"}', value)
  }
  return Object.fromEntries(Object.entries(value))
}

function readInteger(args: Arguments, name: string): number | undefined {
  const value = args[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'a whole number', value)
  return value
}

/**
 * The size of a page: above the range it is the most, zero or less is the default. Adds to `notes` when it was changed.
 */
export function readLimit(args: Arguments, range: LimitRange, notes: string[]): number {
  const limit = readInteger(args, 'limit')
  if (limit === undefined) return range.default
  if (limit > range.max) {
    notes.push(`limit ${limit} is over the most there is; ${range.max} was used.`)
    return range.max
  }
  if (limit > 0) return limit
  notes.push(`limit ${limit} is not a size; the default of ${range.default} was used.`)
  return range.default
}

/** How many entries to skip: a negative number is 0. Adds to `notes` when it was changed. */
export function readOffset(args: Arguments, notes: string[]): number {
  const offset = readInteger(args, 'offset') ?? 0
  if (offset >= 0) return offset
  notes.push(`offset ${offset} is before the first tool; 0 was used.`)
  return 0
}
