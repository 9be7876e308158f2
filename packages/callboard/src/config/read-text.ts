/** Reads a config's file as text, within bounds. */
import { closeSync, openSync, readSync } from 'node:fs'
import { CallboardError, messageOf } from '../errors.ts'

/** The text of a UTF-8 file, without its byte order mark. Throws `config` when it cannot be read or is larger than `maxBytes`. */
export function readText(path: string, maxBytes: number): string {
  const bytes = readBytes(path, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CallboardError('config', `${path}: this is not UTF-8 text; save it as UTF-8`, { cause })
  }
}

// Read piece by piece, because a config may come through a pipe or a device that says nothing of its size.
function readBytes(path: string, maxBytes: number): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.allocUnsafe(maxBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null)
    }
    if (length <= maxBytes) return bytes.subarray(0, length)
  } catch (cause) {
    throw new CallboardError('config', `${path}: cannot be read (${messageOf(cause)})`, { cause })
  } finally {
    if (file !== undefined) closeSync(file)
  }
  throw new CallboardError('config', `${path}: larger than ${maxBytes / 1024} KB; this cannot be a config`)
}
