/** Those who want to be told of one thing. */

export class Listeners<Told extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>()

  /** Returns the way to be told no more. */
  add(listener: (...told: Told) => void): () => void {
    // A wrapper each, so that one function given twice is called twice and taken back once.
    const own = (...told: Told): void => listener(...told)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Calls each of them, in the order in which they came. */
  tell(...told: Told): void {
    for (const listener of this.#listeners) listener(...told)
  }
}
