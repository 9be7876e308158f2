/** Reads the audit's files piece by piece, in both directions, while others append to them. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditPiece, AuditPlace } from '../audit-store.ts'
import { isAbsence, journalFiles } from './journal-files.ts'
import { rowsOf } from './journal-row.ts'

/** A thousand rows or so: parsed in a millisecond. */
const PIECE_BYTES = 256 * 1024
const NEWLINE = 10

export class JournalReader {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async before(place?: AuditPlace): Promise<AuditPiece | undefined> {
    for (const file of (await journalFiles(this.#folder)).toReversed()) {
      if (place !== undefined && file > place.file) continue
      const offset = file === place?.file ? place.offset : Number.POSITIVE_INFINITY
      const piece = await this.#pieceBefore({ file, offset })
      if (piece !== undefined) return piece
    }
    return undefined
  }

  async after(place?: AuditPlace): Promise<AuditPiece | undefined> {
    for (const file of await journalFiles(this.#folder)) {
      if (place !== undefined && file < place.file) continue
      const piece = await this.#pieceAfter({ file, offset: file === place?.file ? place.offset : 0 })
      if (piece !== undefined) return piece
    }
    return undefined
  }

  async #pieceBefore({ file, offset }: AuditPlace): Promise<AuditPiece | undefined> {
    const found = await this.#read(file, (size) => {
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

  async #pieceAfter({ file, offset }: AuditPlace): Promise<AuditPiece | undefined> {
    const found = await this.#read(file, (size) => {
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

  /** Undefined when there is nothing between these two, or no file any more. */
  async #read(
    name: string,
    rangeOf: (size: number) => { readonly start: number; readonly end: number },
  ): Promise<{ readonly bytes: Buffer; readonly start: number } | undefined> {
    const file = await open(join(this.#folder, name), 'r').catch((error: unknown) => {
      if (isAbsence(error)) return undefined
      throw error
    })
    if (file === undefined) return undefined
    try {
      const { start, end } = rangeOf((await file.stat()).size)
      if (end <= start) return undefined
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
      return { bytes: buffer.subarray(0, bytesRead), start }
    } finally {
      await file.close()
    }
  }
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
