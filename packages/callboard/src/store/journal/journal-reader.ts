/** Reads the audit's files piece by piece, in both directions, while others append to them. */
import type { FileHandle } from 'node:fs/promises'
import type { AuditPiece, AuditPlace } from '../audit-store.ts'
import { journalFiles, openFile } from './journal-files.ts'
import { pieceAfter, pieceBefore } from './journal-piece.ts'

export class JournalReader {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async before(place?: AuditPlace): Promise<AuditPiece | undefined> {
    for (const file of (await journalFiles(this.#folder)).toReversed()) {
      if (place !== undefined && file > place.file) continue
      const offset = file === place?.file ? place.offset : Number.POSITIVE_INFINITY
      const piece = await this.#with(file, (handle) => pieceBefore(handle, { file, offset }))
      if (piece !== undefined) return piece
    }
    return undefined
  }

  async after(place?: AuditPlace): Promise<AuditPiece | undefined> {
    for (const file of await journalFiles(this.#folder)) {
      if (place !== undefined && file < place.file) continue
      const offset = file === place?.file ? place.offset : 0
      const piece = await this.#with(file, (handle) => pieceAfter(handle, { file, offset }))
      if (piece !== undefined) return piece
    }
    return undefined
  }

  /** Undefined when there is no file any more. */
  async #with<T>(name: string, read: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
    const handle = await openFile(this.#folder, name)
    try {
      return handle && (await read(handle))
    } finally {
      await handle?.close()
    }
  }
}
