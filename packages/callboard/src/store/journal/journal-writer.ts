/** Appends rows to the file of the day, which other processes append to as well. */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRow } from '../audit-store.ts'
import { journalError } from './journal-errors.ts'
import { dayOf, endOfDay, fileName, partBegunAt, partOf } from './journal-files.ts'
import { lineOf } from './journal-row.ts'

/**
 * A day's file that is larger than this is followed by another one: whole files are deleted, so this is how finely that
 * is done.
 */
const PART_BYTES = 16 * 1024 * 1024
/** How often it is looked at what others did with the file, in milliseconds. */
const LOOK_MS = 1_000

interface OpenFile {
  readonly fd: number
  readonly path: string
  readonly day: string
  readonly part: number
  /** When its day is over, in milliseconds since the epoch. */
  readonly until: number
  /** With what this process has appended since it was looked at. */
  bytes: number
  lookedAt: number
}

export class JournalWriter implements Disposable {
  readonly #folder: string
  #file: OpenFile | undefined
  /** Whether the last line may have no end, because the disk was full for one. */
  #isTorn = false
  #isDisposed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** In one write, which no other process's can come into the middle of. */
  append(rows: readonly AuditRow[]): void {
    let text = this.#isTorn ? '\n' : ''
    for (const row of rows) text += lineOf(row)
    try {
      const file = this.#fileNow()
      const bytes = Buffer.from(text)
      this.#isTorn = true
      for (let written = 0; written < bytes.length; ) written += writeSync(file.fd, bytes, written)
      this.#isTorn = false
      file.bytes += bytes.length
    } catch (error) {
      throw journalError(this.#folder, 'write to', error)
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#close()
  }

  #fileNow(): OpenFile {
    if (this.#isDisposed) throw new Error('it is closed')
    const now = Date.now()
    if (this.#file !== undefined && !this.#isUsable(this.#file, now)) this.#close()
    this.#file ??= this.#open(now)
    return this.#file
  }

  #isUsable(file: OpenFile, now: number): boolean {
    if (now >= file.until || file.bytes >= PART_BYTES) return false
    // A clock that was set back must not keep this from looking.
    if (Math.abs(now - file.lookedAt) < LOOK_MS) return true
    const { dev, ino, size } = fstatSync(file.fd)
    const there = statSync(file.path, { throwIfNoEntry: false })
    file.lookedAt = now
    file.bytes = size
    // What is written into a file that was deleted or moved away is read by few, and so is what comes after a later
    // file was begun.
    const isThere = there?.ino === ino && there.dev === dev
    return isThere && size < PART_BYTES && this.#lastPart(file.day) === file.part
  }

  #open(now: number): OpenFile {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const day = dayOf(now)
    const last = this.#lastPart(day)
    const size =
      last === undefined ? PART_BYTES : (statSync(this.#pathOf(day, last), { throwIfNoEntry: false })?.size ?? 0)
    const part = last !== undefined && size < PART_BYTES ? last : Math.max(partBegunAt(now), (last ?? -1) + 1)
    const path = this.#pathOf(day, part)
    const fd = openSync(path, 'a', 0o600)
    return { fd, path, day, part, until: endOfDay(now), bytes: fstatSync(fd).size, lookedAt: now }
  }

  #lastPart(day: string): number | undefined {
    const parts = readdirSync(this.#folder).flatMap((name) => {
      const found = partOf(name)
      return found?.day === day ? [found.part] : []
    })
    return parts.length === 0 ? undefined : Math.max(...parts)
  }

  #pathOf(day: string, part: number): string {
    return join(this.#folder, fileName(day, part))
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd)
    this.#file = undefined
  }
}
