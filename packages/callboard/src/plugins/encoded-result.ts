/**
 * Results of which some fields are JSON in bytes, so that they are passed on without being read and written anew.
 */
import { readJson } from '../exact-json.ts'

/** A value as JSON in UTF-8, in pieces, without a line end. */
export type JsonBytes = readonly Uint8Array[]

export type EncodedFields = ReadonlyMap<string, JsonBytes>

const FIELDS = Symbol('encoded fields')

/**
 * The result with these fields as bytes, besides its own, whose place they take: a tool's result has an empty `content`
 * for the one in bytes. A copy made by spreading is one as well. `JSON.stringify` writes it as any other, but has to
 * read the bytes for that.
 */
export function encodedResult<Plain extends object>(fields: EncodedFields, plain: Plain): Plain {
  return { ...plain, [FIELDS]: fields, toJSON: readWhole }
}

/** The fields that are bytes; undefined for a result that is none of `encodedResult`. */
export function encodedFields(result: object): EncodedFields | undefined {
  const { [FIELDS]: fields }: { [FIELDS]?: EncodedFields } = Object(result)
  return fields
}

/** What is not bytes of it. */
export function plainMembers(result: object, fields: EncodedFields): readonly (readonly [string, unknown])[] {
  return Object.entries(result).filter(([key, value]) => value !== readWhole && !fields.has(key))
}

/** The members of its JSON object, without the braces around them: those that are plain, and those that are bytes. */
export function encodedMembers(result: object, fields: EncodedFields): readonly (string | Uint8Array)[] {
  const text = JSON.stringify(Object.fromEntries(plainMembers(result, fields))).slice(1, -1)
  const members: (string | Uint8Array)[] = text === '' ? [] : [text]
  for (const [key, bytes] of fields) members.push(`${members.length === 0 ? '' : ','}${JSON.stringify(key)}:`, ...bytes)
  return members
}

/** The same without any bytes, in which each number that a double would write otherwise is a written one. */
export function decodedResult<Result extends object>(result: Result): Result {
  const members = encodedMembers(result, encodedFields(result) ?? new Map())
  return Object(readJson(`{${Buffer.concat(members.map((member) => Buffer.from(member))).toString()}}`).written)
}

function readWhole(this: object): unknown {
  return decodedResult(this)
}
