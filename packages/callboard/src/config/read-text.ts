/** Reads a config's file as text, within bounds. */
import { closeSync, openSync, readSync } from 'node:fs'
import { CallboardError, messageOf } from '../errors.ts'

const PIECE_BYTES = 64 * 1024

/**
 * The text of a UTF-8 file, without its byte order mark. Throws `config` when it cannot be read or is larger than
 * `maxBytes`.
 */
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
  const pieces: Buffer[] = []
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    let length = 0
    while (length <= maxBytes) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES)
      const read = readSync(file, piece, 0, PIECE_BYTES, null)
      if (read === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, read))
      length += read
    }
  } catch (cause) {
    throw new CallboardError('config', `${path}: cannot be read (${messageOf(cause)})`, { cause })
  } finally {
    if (file !== undefined) closeSync(file)
  }
  throw new CallboardError('config', `${path}: larger than ${maxBytes / 1024} KB; this cannot be a config`)
}
