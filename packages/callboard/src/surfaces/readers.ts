/** All clients who have not taken yet what was written to them: how much waits, and who has to go because of it. */
import type { Log } from '../log.ts'

/** A client to whom something was written. */
export interface Reader {
  /** How many bytes wait for it, or nearly so; 0 for one that has gone. */
  readonly unread: number
  /** Who it is, and what it reads, as far as known. */
  readonly who: ReaderName
  /** Ends its connection and forgets what waits. */
  cut(): void
}

/** Who reads what, as the log names it. */
export interface ReaderName {
  readonly user?: string
  /** The tool that answered. */
  readonly tool?: string
  /** The tool through which that was called, or the surface where nothing else is known. */
  readonly via?: string
}

export interface ReaderLimits {
  /** How many bytes may wait for all of them together before the slow ones have to go. */
  readonly maxBytes: number
  /** How many bytes each has to take in every window, unless fewer waited at its beginning. */
  readonly leastBytes: number
  /**
   * Milliseconds. An operating system tells that something was taken only when a third of its own buffer is free again,
   * which may be a megabyte and a half where the line was fast once; so a shorter window would show nothing of a client
   * that reads all the time.
   */
  readonly windowMs: number
}

export const DEFAULT_READER_LIMITS: ReaderLimits = {
  maxBytes: 256 * 1024 * 1024,
  leastBytes: 256 * 1024,
  windowMs: 60_000,
}

/** How often in a window it is looked how much was taken. */
const LOOKS = 60
/** What has just been written is taken to be read at once in so many looks, which gives its reader a look or two. */
const GRACE_LOOKS = 16

/** How a reader gets on. Bytes. */
interface Pace {
  /** What waited at the last look, and what has been written since. */
  unread: number
  /** What it takes between two looks; the last ones count most. */
  speed: number
  /** Of the running window: what has to be taken, what was taken, and the looks. */
  due: number
  taken: number
  looks: number
}

/**
 * Costs nothing for what a socket takes at once; while anything waits, there is one timer for all. Nobody is cut off who
 * reads well: who would have the rest within a window, at the speed of the last looks. So for as long as that lasts,
 * more than `maxBytes` may wait.
 */
export class Readers {
  readonly #log: Log
  readonly #limits: ReaderLimits
  /** Those for whom something waits, the one for whom it has waited longest first. */
  readonly #paces = new Map<Reader, Pace>()
  /** What waits for all of them, at most: what is taken between two looks is not counted off. */
  #bytes = 0
  #looking: NodeJS.Timeout | undefined

  constructor(log: Log, limits: Partial<ReaderLimits> = {}) {
    this.#log = log
    this.#limits = { ...DEFAULT_READER_LIMITS, ...limits }
  }

  /** How many bytes wait for all of them. */
  get bytes(): number {
    let bytes = 0
    for (const reader of this.#paces.keys()) bytes += reader.unread
    return bytes
  }

  /** Tells that not all was taken of what was written to a reader; `written` bytes are new. */
  wait(reader: Reader, written: number): void {
    const pace = this.#paces.get(reader) ?? this.#begin(reader, written)
    pace.unread += written
    pace.speed += written / GRACE_LOOKS
    this.#bytes += written
    this.#looking ??= setInterval(() => this.#look(), this.#limits.windowMs / LOOKS).unref()
    if (this.#bytes > this.#limits.maxBytes) this.#makeRoom()
  }

  #begin(reader: Reader, written: number): Pace {
    const { unread } = reader
    const before = unread - written
    const pace = { unread: before, speed: before / GRACE_LOOKS, due: unread, taken: 0, looks: 0 }
    this.#paces.set(reader, pace)
    return pace
  }

  #look(): void {
    for (const [reader, pace] of this.#paces) {
      const { unread } = reader
      const taken = Math.max(0, pace.unread - unread)
      pace.unread = unread
      pace.speed = (pace.speed + taken) / 2
      pace.taken += taken
      pace.looks += 1
      if (unread === 0) this.#paces.delete(reader)
      else if (pace.looks === LOOKS) this.#endWindow(reader, pace)
    }
    this.#makeRoom()
    if (this.#paces.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #endWindow(reader: Reader, pace: Pace): void {
    const { leastBytes, windowMs } = this.#limits
    const least = Math.min(leastBytes, pace.due)
    if (pace.taken < least) {
      this.#cut(reader, `it took ${pace.taken} bytes in ${windowMs / 1000} s, and ${least} are the least`)
      return
    }
    Object.assign(pace, { due: pace.unread, taken: 0, looks: 0 })
  }

  /** Lets those go who have waited longest, of those who have more than their share of the room and do not read well. */
  #makeRoom(): void {
    const { maxBytes } = this.#limits
    this.#bytes = this.bytes
    const share = maxBytes / this.#paces.size
    for (const [reader, { speed }] of this.#paces) {
      if (this.#bytes <= maxBytes) return
      const { unread } = reader
      if (unread <= share || unread <= speed * LOOKS) continue
      this.#cut(reader, `more than ${maxBytes} bytes wait for all clients, and this one reads too slowly`)
      this.#bytes -= unread
    }
  }

  #cut(reader: Reader, reason: string): void {
    this.#log.warn({ ...reader.who, bytes: reader.unread, reason }, 'a client was cut off before it had read all')
    this.#paces.delete(reader)
    reader.cut()
  }
}
