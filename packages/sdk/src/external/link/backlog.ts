/** What came and was not taken yet, for one reader who may wait for more. */

/** Grows with what is put in; whoever fills it has to know a bound. */
export class Backlog<T> implements AsyncIterable<T> {
  readonly #onTake: (item: T) => void
  readonly #items: T[] = []
  #waiting: ((result: IteratorResult<T, undefined>) => void) | undefined
  #hasEnded = false

  /** `onTake` is told of each item when the reader gets it. */
  constructor(onTake: (item: T) => void = () => {}) {
    this.#onTake = onTake
  }

  get size(): number {
    return this.#items.length
  }

  put(item: T): void {
    const waiting = this.#waiting
    if (waiting === undefined) return void this.#items.push(item)
    this.#waiting = undefined
    this.#onTake(item)
    waiting({ value: item, done: false })
  }

  /** Forgets what was not taken; the reader is done. */
  end(): void {
    this.#hasEnded = true
    this.#items.length = 0
    this.#waiting?.({ value: undefined, done: true })
    this.#waiting = undefined
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.#next() }
  }

  #next(): Promise<IteratorResult<T, undefined>> {
    const item = this.#items.shift()
    if (item !== undefined) {
      this.#onTake(item)
      return Promise.resolve({ value: item, done: false })
    }
    if (this.#hasEnded) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }
}
