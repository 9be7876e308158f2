/** Follows the audit's files while others append to them, begin the next one, and move them away. */
import type { FileHandle } from 'node:fs/promises'
import type { AuditFollower, AuditPiece, AuditPlace } from '../audit-store.ts'
import { inJournal } from './journal-errors.ts'
import { journalFiles, openFile } from './journal-files.ts'
import { pieceAfter } from './journal-piece.ts'

/**
 * How long a file is read on after a later one was seen, in milliseconds: its writers look once a second whether they
 * are to leave it.
 */
const DRAIN_MS = 5_000

interface OpenFile {
  readonly handle: FileHandle
  place: AuditPlace
  /** When a later one was seen, by a clock that is never set. */
  supersededAt?: number
}

export class JournalFollower implements AuditFollower {
  readonly #folder: string
  /** The oldest first. Kept open, because what is moved away has no name here any more. */
  #files: readonly OpenFile[] = []
  /** Where the next file is begun that has not been opened yet. */
  #from: AuditPlace

  constructor(folder: string, from: AuditPlace = { file: '', offset: 0 }) {
    this.#folder = folder
    this.#from = from
  }

  next(): Promise<AuditPiece | undefined> {
    return inJournal(this.#folder, 'read', this.#next())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const files = this.#files
    this.#files = []
    await Promise.all(files.map(({ handle }) => handle.close()))
  }

  async #next(): Promise<AuditPiece | undefined> {
    await this.#openLater()
    for (const file of this.#files) {
      const piece = await pieceAfter(file.handle, file.place)
      if (piece === undefined) continue
      file.place = piece.end
      return piece
    }
    await this.#closeDrained()
    return undefined
  }

  async #openLater(): Promise<void> {
    for (const file of await journalFiles(this.#folder)) {
      if (file < this.#from.file || this.#files.some(({ place }) => place.file === file)) continue
      const handle = await openFile(this.#folder, file)
      if (handle === undefined) continue
      const place = { file, offset: file === this.#from.file ? this.#from.offset : 0 }
      for (const earlier of this.#files) earlier.supersededAt ??= performance.now()
      this.#files = [...this.#files, { handle, place }]
      this.#from = place
    }
  }

  async #closeDrained(): Promise<void> {
    const isDrained = ({ supersededAt }: OpenFile) =>
      supersededAt !== undefined && performance.now() - supersededAt >= DRAIN_MS
    const drained = this.#files.filter(isDrained)
    this.#files = this.#files.filter((file) => !drained.includes(file))
    await Promise.all(drained.map(({ handle }) => handle.close()))
  }
}
