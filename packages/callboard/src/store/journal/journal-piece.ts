/** Reads one piece of one of the audit's files, which others may append to and move away meanwhile. */
import type { FileHandle } from 'node:fs/promises'
import type { AuditPiece, AuditPlace } from '../audit-store.ts'
import { rowsOf } from './journal-row.ts'

/** A thousand rows or so: parsed in a millisecond. */
const PIECE_BYTES = 256 * 1024
const NEWLINE = 10

interface Range {
  readonly start: number
  readonly end: number
}

/** The whole lines right before a place of this file; undefined when there are none. */
export async function pieceBefore(handle: FileHandle, { file, offset }: AuditPlace): Promise<AuditPiece | undefined> {
  const found = await read(handle, (size) => {
    const end = Math.min(offset, size)
    return { start: Math.max(0, end - PIECE_BYTES), end }
  })
  if (found === undefined) return undefined
  const { bytes, start } = found
  // Whole lines only: the beginning of the first one is in the piece before.
  const from = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
  const to = bytes.lastIndexOf(NEWLINE) + 1
  if (to > from) return pieceOf(file, start + from, bytes.subarray(from, to))
  return start === 0 ? undefined : noRow(file, start, bytes)
}

/** The whole lines right after a place of this file; undefined when there are none yet. */
export async function pieceAfter(handle: FileHandle, { file, offset }: AuditPlace): Promise<AuditPiece | undefined> {
  const found = await read(handle, (size) => {
    // A file that is shorter than what was read of it is another one, begun in its place.
    const start = offset > size ? 0 : offset
    return { start, end: Math.min(size, start + PIECE_BYTES) }
  })
  if (found === undefined) return undefined
  const { bytes, start } = found
  const to = bytes.lastIndexOf(NEWLINE) + 1
  if (to > 0) return pieceOf(file, start, bytes.subarray(0, to))
  // A last line without an end is still being written, or never will be.
  return bytes.length < PIECE_BYTES ? undefined : noRow(file, start, bytes)
}

/** Undefined when there is nothing between these two. */
async function read(
  handle: FileHandle,
  rangeOf: (size: number) => Range,
): Promise<{ readonly bytes: Buffer; readonly start: number } | undefined> {
  const { start, end } = rangeOf((await handle.stat()).size)
  if (end <= start) return undefined
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
  return { bytes: buffer.subarray(0, bytesRead), start }
}

function pieceOf(file: string, offset: number, bytes: Buffer): AuditPiece {
  return {
    ...rowsOf(bytes.toString('utf8')),
    start: { file, offset },
    end: { file, offset: offset + bytes.length },
  }
}

/** A piece out of the middle of a line that is longer than any row. */
function noRow(file: string, offset: number, bytes: Buffer): AuditPiece {
  return { ...pieceOf(file, offset, bytes), rows: [], unreadable: 1 }
}
